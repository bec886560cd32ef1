    let at$k$ = source + column$k$ + min(n$k$, vec4<u32>(left - 1u)) * $from$u;
$each$
        // Behind the end of a column lies the begin of the next one of the target, which is anywhere in the source.
        if (row$k$ + 3u >= left) {
            for (var i = 0u; i < 16u; i++) {
                let n = row$k$ + i / 4u;
                let column = column$k$ + i % 4u;
                if (n >= left && column < columns) {
                    let other = next(min(goal + column * $to$u + n, $count$u - 1u));
                    let value = from_[other / 4u] >> (other % 4u * 8u);
                    rows[i / 4u] = insertBits(rows[i / 4u], value, i % 4u * 8u, 8u);
                }
            }
        }
