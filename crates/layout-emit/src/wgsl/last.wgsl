        // What lies behind the last element stays.
        if (at == $count$u / width) {
            for (var n = 0u; n < $count$u % width; n++) {
                let value = tile[v + v / period * (apart - period)][n / $each$u] >> (n % $each$u * $bits$u);
                to_[at][n / $each$u] = insertBits(to_[at][n / $each$u], value, n % $each$u * $bits$u, $bits$u);
            }
        }
