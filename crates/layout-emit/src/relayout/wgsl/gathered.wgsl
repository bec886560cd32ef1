
$kernel$    let at = block * $threads$u + t;
    if (at * $each$u < $count$u) {
        var word = 0u;
        for (var n = 0u; n < $each$u; n++) {
            let i = at * $each$u + n;
            if (i < $count$u) {
$lines$                let source = $from$;
                word |= extractBits(from_[source / $each$u], source % $each$u * $bits$u, $bits$u) << (n * $bits$u);
            } else {
                // What lies behind the last element stays.
                word = insertBits(word, extractBits(to_[at], n * $bits$u, $bits$u), n * $bits$u, $bits$u);
            }
        }
        to_[at] = word;
    }
}
