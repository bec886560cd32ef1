    // Sectors that a block writes, which may begin behind the tile; a row of the tile, with vectors that begin before it and
    // end behind it; rows that are read at once; lanes side by side in a row of the target, and columns that are written at
    // once.
    constexpr unsigned int width = $width$u, sector = 2u * width, beyond = $d_tile$u + sector;
    constexpr unsigned int by_row = $by_row$u, pitch = by_row * width + $from$u % width, whole = $most$u / width * width;
    constexpr unsigned int down = $down$u, load = (beyond + down - 1u) / down;
    constexpr unsigned int lanes = 8u, by = 32u, across = ($d_tile$u / width + lanes - 1u) / lanes;
    __shared__ __align__(16) $element$ tile[(beyond + 1u) * pitch + sector];
    const unsigned int t = threadIdx.x, block = blockIdx.x;
    (void)block;
$starts$    const unsigned int source = $source$, target = $target$, columns = $columns$;
    const unsigned int left = $left$, rows = min(left, beyond);
    // The element of row 0 and column 0: row and column go on by pitch and by 1.
    $element$ *const corner = tile + (source & (width - 1u));
    $name$_x$width$ vectors[load];
    // As many rows further on, a row begins as far from a vector.
    const unsigned int row0 = t / by_row, first = t % by_row * width;
    const unsigned int slant = (source + row0 * $from$u) & (width - 1u), begin0 = source + row0 * $from$u + first - slant;
    const unsigned int mine = row0 < down && first < slant + columns ? rows : 0u;
    #pragma unroll
    for (unsigned int k = 0; k < load; ++k) {
        const unsigned int at = begin0 + k * down * $from$u;
        if (row0 + k * down < mine && at < whole) vectors[k] = *reinterpret_cast<const $name$_x$width$ *>(from + at);
    }
    #pragma unroll
    for (unsigned int k = 0; k < load; ++k) {
        if (row0 + k * down < mine && begin0 + k * down * $from$u < whole)
            *reinterpret_cast<$name$_x$width$ *>(corner + (int)((row0 + k * down) * pitch + first - slant)) = vectors[k];
    }
    // What is behind the last whole vector of memory.
    if (t < $most$u % width) {
        const unsigned int at = whole + t - source, row = at / $from$u, column = at % $from$u;
        if (row < rows && column < columns) corner[row * pitch + column] = from[source + at];
    }
    __syncthreads();
    // Whole vectors of the target, from the first whole sector on, which is the same row all 32 columns.
    const unsigned int column0 = t / lanes, head0 = 0u - (target + column0 * $to$u) & (sector - 1u);
    #pragma unroll
    for (unsigned int k = 0; k < ($s_tile$u + by - 1u) / by; ++k) {
        #pragma unroll
        for (unsigned int n = 0; n < across; ++n) {
            const unsigned int column = column0 + k * by, step = (n * lanes + t % lanes) * width, row = head0 + step;
            if (t < lanes * by && column < columns && step < $d_tile$u && row + width <= rows) {
                const $element$ *const top = corner + row * pitch + column;
                $name$_x$width$ vector = {};
                #pragma unroll
                for (unsigned int n = 0; n < width; ++n) $gather$;
                *reinterpret_cast<$name$_x$width$ *>(to + (target + column * $to$u + row)) = vector;
            }
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
