    // Behind the ends of rows of the target lie the next ones' first elements, which are anywhere in the source.
    if (left < beyond) {
        for (var i = t; i < (width - 1u) * words; i += $threads$u) {
            let n = i / words;
            let row = corner + (left + n) * pitch;
            let at = row / each + i % words;
            var word = 0u;
            for (var m = 0u; m < each; m++) {
                let column = at * each + m - row;
                if (column < columns) {
                    let other = next(min(goal + column * $to$u + left + n, $count$u - 1u));
                    let value = source_word(other / each) >> (other % each * $bits$u);
                    word = insertBits(word, value, m * $bits$u, $bits$u);
                }
            }
            if (left + n < beyond && at * each < row + columns) {
                tile[at] = word;
            }
        }
    }
