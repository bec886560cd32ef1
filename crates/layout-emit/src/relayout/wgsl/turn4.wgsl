            let a = $kind1$($a$);
            let b = $kind1$($b$);
            let c = $kind1$($c$);
            let d = $kind1$($d$);
            // Every other byte of two words, then two bytes of each.
            let mask = $kind1$(16711935u);
            let by = $kind1$(8u);
            let even0 = (a & mask) | ((b & mask) << by);
            let even1 = (c & mask) | ((d & mask) << by);
            let odd0 = ((a >> by) & mask) | (b & ~mask);
            let odd1 = ((c >> by) & mask) | (d & ~mask);
            to_[at] = insertBits(even0, even1, 16u, 16u);
            to_[at + $next$u] = insertBits(odd0, odd1, 16u, 16u);
            to_[at + 2u * $next$u] = insertBits(even1, extractBits(even0, 16u, 16u), 0u, 16u);
            to_[at + 3u * $next$u] = insertBits(odd1, extractBits(odd0, 16u, 16u), 0u, 16u);
