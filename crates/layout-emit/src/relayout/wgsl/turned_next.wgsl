    // Behind the end of a column lies the next one's begin.
    let behind$k$ = select(vec4<u32>(0u), vec4<u32>($extent$u * $from$u - 1u), n$k$ >= vec4<u32>(left));
    let at$k$ = source + column$k$ + n$k$ * $from$u - behind$k$;
$each$
        // Behind the last column lies what may be elsewhere in the source.
        if (row$k$ + 3u >= left && column$k$ / 4u == last / 4u) {
            for (var n = 0u; n < 4u; n++) {
                if (row$k$ + n >= left) {
                    let other = next(min(goal + last * $to$u + row$k$ + n, $count$u - 1u));
                    rows[n] = insertBits(rows[n], from_[other / 4u] >> (other % 4u * 8u), last % 4u * 8u, 8u);
                }
            }
        }
