    // A row of the tile, with vectors that begin before it and end behind it; sectors that a block writes, which may begin
    // behind the tile; lanes side by side in a row of the target, and rows of a warp.
    constexpr unsigned int width = $width$u, sector = 2u * width, beyond = $d_tile$u + sector;
    constexpr unsigned int by_row = ($s_tile$u + sector - 2u) / width, pitch = by_row * width + $from$u % width;
    constexpr unsigned int lanes = 8u, down = 4u, across = ($d_tile$u / width + lanes - 1u) / lanes;
    constexpr unsigned int load = (beyond * by_row + $threads$u - 1u) / $threads$u;
    constexpr unsigned int store = (32u * across * (($s_tile$u + down - 1u) / down) + $threads$u - 1u) / $threads$u;
    constexpr unsigned int whole = $most$u / width * width;
    __shared__ __align__(16) $element$ tile[(beyond + 1u) * pitch + sector];
    const unsigned int t = threadIdx.x, block = blockIdx.x;
    (void)block;
$starts$    const unsigned int source = $source$, target = $target$, columns = $columns$;
    const unsigned int left = $left$, rows = min(left, beyond);
    // The element of row 0 and column 0: row and column go on by pitch and by 1.
    $element$ *const corner = tile + (source & (width - 1u));
    $name$_x$width$ vectors[load];
    #pragma unroll
    for (unsigned int k = 0; k < load; ++k) {
        const unsigned int i = t + k * $threads$u, row = i / by_row, first = i % by_row * width;
        const unsigned int begin = source + row * $from$u, slant = begin & (width - 1u), at = begin - slant + first;
        if (row < rows && first < slant + columns && at < whole)
            vectors[k] = *reinterpret_cast<const $name$_x$width$ *>(from + at);
    }
    #pragma unroll
    for (unsigned int k = 0; k < load; ++k) {
        const unsigned int i = t + k * $threads$u, row = i / by_row, first = i % by_row * width;
        const unsigned int begin = source + row * $from$u, slant = begin & (width - 1u);
        if (row < rows && first < slant + columns && begin - slant + first < whole)
            *reinterpret_cast<$name$_x$width$ *>(corner + (int)(row * pitch + first - slant)) = vectors[k];
    }
    // What is behind the last whole vector of memory.
    if (t < $most$u % width) {
        const unsigned int at = whole + t - source, row = at / $from$u, column = at % $from$u;
        if (row < rows && column < columns) corner[row * pitch + column] = from[source + at];
    }
    __syncthreads();
    // Whole vectors of the target, from the first whole sector on.
    #pragma unroll 4
    for (unsigned int k = 0; k < store; ++k) {
        const unsigned int i = t + k * $threads$u, lane = i & 31u, warp = i >> 5;
        const unsigned int column = warp / across * down + lane / lanes;
        const unsigned int begin = target + column * $to$u, head = 0u - begin & (sector - 1u);
        const unsigned int step = (warp % across * lanes + lane % lanes) * width, row = head + step;
        if (column < columns && step < $d_tile$u && row + width <= rows) {
            const $element$ *const top = corner + row * pitch + column;
            $name$_x$width$ vector = {};
            #pragma unroll
            for (unsigned int n = 0; n < width; ++n) $gather$;
            *reinterpret_cast<$name$_x$width$ *>(to + begin + row) = vector;
        }
    }
    // The ends of the axis: what is before the first sector, and behind the last whole vector.
    if (left == $extent$u || left < beyond) {
        for (unsigned int i = t; i < (sector + width) * $s_tile$u; i += $threads$u) {
            const unsigned int column = i / (sector + width), n = i % (sector + width);
            const unsigned int begin = target + column * $to$u, head = 0u - begin & (sector - 1u);
            const unsigned int end = min(head + $d_tile$u, left);
            const unsigned int row = n < sector ? n : head + (max(end, head) - head) / width * width + n - sector;
            const bool mine = n < sector ? left == $extent$u && row < min(head, left) : row < end;
            if (column < columns && mine) to[begin + row] = corner[row * pitch + column];
        }
    }
}
