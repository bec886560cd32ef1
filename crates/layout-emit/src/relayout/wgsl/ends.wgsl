                    if (c >= 0 && c + i32(each) <= length) {
                        atomicStore(&to_[at], word$k$);
                    } else {
                        // Other threads write the rest of the word.
                        let begin = u32(max(-c, 0));
                        let count = u32(min(length - c, i32(each))) - begin;
                        let mask = insertBits(0u, ~0u, begin * $bits$u, count * $bits$u);
                        atomicAnd(&to_[at], ~mask);
                        atomicOr(&to_[at], word$k$ & mask);
                    }
