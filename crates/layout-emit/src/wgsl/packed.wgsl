var<workgroup> tile: array<$kind$, $packed$>;
fn element(place: u32) -> u32 {
    return extractBits(tile[place / $piece$u]$word$, place % $each$u * $bits$u, $bits$u);
}
