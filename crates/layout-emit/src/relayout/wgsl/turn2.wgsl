            let a = $kind1$($a$);
            let b = $kind1$($b$);
            to_[at] = insertBits(a, b, 16u, 16u);
            to_[at + $next$u] = insertBits(b, extractBits(a, 16u, 16u), 0u, 16u);
