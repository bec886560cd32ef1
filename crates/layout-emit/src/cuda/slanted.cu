    __shared__ __align__(16) $element$ tile[$tile$];
    const unsigned int t = threadIdx.x, block = blockIdx.x;
    (void)block;
$starts$    const unsigned int source = $source$, target = $target$, columns = $columns$;
    const unsigned int left = $left$, rows = min(left, $beyond$u);
    // The element of row 0 and column 0: row and column go on by $pitch$ and by 1.
    $element$ *const corner = tile + (source & $last$u);
    $name$_x$width$ vectors[$load$];
    #pragma unroll
    for (unsigned int k = 0; k < $load$u; ++k) {
        const unsigned int i = t + k * $threads$u, row = i / $by_row$u, first = i % $by_row$u * $width$u;
        const unsigned int begin = source + row * $from$u, slant = begin & $last$u, at = begin - slant + first;
        if (row < rows && first < slant + columns && at < $whole$u)
            vectors[k] = *reinterpret_cast<const $name$_x$width$ *>(from + at);
    }
    #pragma unroll
    for (unsigned int k = 0; k < $load$u; ++k) {
        const unsigned int i = t + k * $threads$u, row = i / $by_row$u, first = i % $by_row$u * $width$u;
        const unsigned int begin = source + row * $from$u, slant = begin & $last$u;
        if (row < rows && first < slant + columns && begin - slant + first < $whole$u)
            *reinterpret_cast<$name$_x$width$ *>(corner + (int)(row * $pitch$u + first - slant)) = vectors[k];
    }
    // What is behind the last whole vector of memory.
    if (t < $rest$u) {
        const unsigned int at = $whole$u + t - source, row = at / $from$u, column = at % $from$u;
        if (row < rows && column < columns) corner[row * $pitch$u + column] = from[source + at];
    }
    __syncthreads();
    // Whole vectors of the target, from the first whole sector on.
    #pragma unroll 4
    for (unsigned int k = 0; k < $store$u; ++k) {
        const unsigned int i = t + k * $threads$u, lane = i & 31u, warp = i >> 5;
        const unsigned int column = warp / $across$u * $rows$u + lane / $lanes$u;
        const unsigned int begin = target + column * $to$u, head = 0u - begin & $apart$u;
        const unsigned int step = (warp % $across$u * $lanes$u + lane % $lanes$u) * $width$u, row = head + step;
        if (column < columns && step < $d_tile$u && row + $width$u <= rows) {
            const $element$ *const top = corner + row * $pitch$u + column;
            $name$_x$width$ vector = {};
            #pragma unroll
            for (unsigned int n = 0; n < $width$u; ++n) $gather$;
            *reinterpret_cast<$name$_x$width$ *>(to + begin + row) = vector;
        }
    }
    // The ends of the axis: what is before the first sector, and behind the last whole vector.
    if (left == $extent$u || left < $beyond$u) {
        for (unsigned int i = t; i < $edges$u; i += $threads$u) {
            const unsigned int column = i / $span$u, n = i % $span$u;
            const unsigned int begin = target + column * $to$u, head = 0u - begin & $apart$u;
            const unsigned int end = min(head + $d_tile$u, left);
            const unsigned int row = n < $sector$u ? n : head + (max(end, head) - head) / $width$u * $width$u + n - $sector$u;
            const bool mine = n < $sector$u ? left == $extent$u && row < min(head, left) : row < end;
            if (column < columns && mine) to[begin + row] = corner[row * $pitch$u + column];
        }
    }
}
