var<workgroup> tile: array<$kind$, $units$>;
