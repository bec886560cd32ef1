fn element(place: u32) -> u32 {
    return extractBits(tile[place / $unit$u]$word$, place % $each$u * $bits$u, $bits$u);
}
