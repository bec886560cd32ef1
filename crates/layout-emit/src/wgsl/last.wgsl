        // What lies behind the last element stays.
        if (to == $count$u / width) {
            for (var n = 0u; n < $count$u % width; n++) {
                let old = to_[to][n / $each$u];
                to_[to][n / $each$u] = insertBits(old, element(to * width + n), n % $each$u * $bits$u, $bits$u);
            }
        }
