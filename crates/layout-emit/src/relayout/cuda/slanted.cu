    // Sectors that a block writes, which may begin behind the tile; a row of the tile, with vectors that begin before it and
    // end behind it; rows that are read at once; lanes side by side in a row of the target, and columns that are written at
    // once.
    constexpr unsigned int width = $width$u, sector = 2u * width, beyond = $d_tile$u + sector;
    constexpr unsigned int by_row = ($s_tile$u + sector - 2u) / width, pitch = by_row * width + $from$u % width;
    constexpr $word$ whole = $most$u / width * width;
    constexpr unsigned int down = $threads$u / by_row / width * width, rounds = (beyond + down - 1u) / down;
    constexpr unsigned int lanes = 8u, by = 32u, across = ($d_tile$u / width + lanes - 1u) / lanes;
    __shared__ __align__(16) $element$ tile[(beyond + 1u) * pitch + sector];
    const unsigned int t = threadIdx.x;
    const $word$ block = blockIdx.x;
    (void)block;
$starts$    const $word$ source = $source$, target = $target$;
    const unsigned int columns = $columns$, left = $left$, rows = min(left, beyond);
    // The element of row 0 and column 0: row and column go on by pitch and by 1.
    $element$ *const corner = tile + (source & (width - 1u));
$load$    $name$_x$width$ vectors[rounds];
    // As many rows further on, a row begins as far from a vector.
    const unsigned int row0 = t / by_row, first = t % by_row * width;
    const unsigned int slant = (source + row0 * $from$u) & (width - 1u);
    const $word$ at = source + row0 * $from$u + first - slant;
    const bool mine = row0 < down && first < slant + columns;
    const $element$ *const begin = from + at;
    #pragma unroll
    for (unsigned int k = 0; k < rounds; ++k) {
        if (mine && row0 + k * down < rows && at + k * down * $from$u < whole) vectors[k] = load(begin + k * down * $from$u);
    }
    __syncwarp();
    $element$ *const place = corner + (int)(row0 * pitch + first - slant);
    #pragma unroll
    for (unsigned int k = 0; k < rounds; ++k) {
        if (mine && row0 + k * down < rows && at + k * down * $from$u < whole)
            *reinterpret_cast<$name$_x$width$ *>(place + k * down * pitch) = vectors[k];
    }
    // What is behind the last whole vector of memory.
    if (t < $most$u % width) {
        const $word$ at = whole + t - source, row = at / $from$u, column = at % $from$u;
        if (row < rows && column < columns) corner[row * pitch + column] = from[source + at];
    }
    __syncthreads();
    // Whole vectors of the target, from the first whole sector on, which is the same row for all columns of a thread.
    const unsigned int column0 = t / lanes, lane = t % lanes, head = 0u - (target + column0 * $to$u) & (sector - 1u);
    const $element$ *const top = corner + (head + lane * width) * pitch + column0;
    $element$ *const line = to + (target + column0 * $to$u + head + lane * width);
    #pragma unroll
    for (unsigned int i = 0; i < across * (($s_tile$u + by - 1u) / by); ++i) {
        const unsigned int k = i / across * by, step = i % across * lanes * width;
        if (t < lanes * by && column0 + k < columns && lane * width + step < $d_tile$u
            && head + lane * width + step + width <= rows) {
            $name$_x$width$ vector = {};
            #pragma unroll
            for (unsigned int n = 0; n < width; ++n) $gather$;
            *reinterpret_cast<$name$_x$width$ *>(line + k * $to$u + step) = vector;
        }
    }
    // The ends of the axis: what is before the first sector, and behind the last whole vector.
    if (left == $extent$u) {
        for (unsigned int column = t / sector, row = t % sector; column < columns; column += $threads$u / sector) {
            const $word$ begin = target + column * $to$u;
            if (row < min((unsigned int)(0u - begin) & (sector - 1u), left)) to[begin + row] = corner[row * pitch + column];
        }
    }
    if (left < beyond) {
        for (unsigned int column = t / width; column < columns; column += $threads$u / width) {
            const $word$ begin = target + column * $to$u;
            const unsigned int head = 0u - begin & (sector - 1u);
            const unsigned int end = min(head + $d_tile$u, left), row = head + (max(end, head) - head) / width * width + t % width;
            if (row < end) to[begin + row] = corner[row * pitch + column];
        }
    }
}
