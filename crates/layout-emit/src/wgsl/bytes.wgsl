        let source = $from$;
        let place = $to$;
        let value = (from_[source / $each$u] >> (source % $each$u * $bits$u)) & $mask$u;
        // Others write other bytes of the word.
        let shift = place % $each$u * $bits$u;
        atomicAnd(&to_[place / $each$u], ~($mask$u << shift));
        atomicOr(&to_[place / $each$u], value << shift);
