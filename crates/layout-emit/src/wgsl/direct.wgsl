    let i = block * $threads$u + t;
    if (i < $count$u) {
$lines$$moves$    }
}
