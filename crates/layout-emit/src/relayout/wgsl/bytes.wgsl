
$kernel$    let i = block * $threads$u + t;
    if (i < $count$u) {
$lines$        let source = $from$;
        let place = $to$;
        let value = extractBits(from_[source / $each$u], source % $each$u * $bits$u, $bits$u);
        // Others write other bytes of the word.
        let shift = place % $each$u * $bits$u;
        atomicAnd(&to_[place / $each$u], insertBits(~0u, 0u, shift, $bits$u));
        atomicOr(&to_[place / $each$u], value << shift);
    }
}
