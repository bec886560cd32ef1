    // Vectors of a thread begin at one place of a period: their elements are equally far from the period's first one.
    __shared__ __align__(16) $element$ tile[$span$];
    const unsigned int t = threadIdx.x, phase = t * $width$u % $period$u;
    // What the block reads, from a whole vector on.
    unsigned int low;
    {
        const unsigned int j = blockIdx.x * $each$u / $period$u;
$lines_begin$        low = $begin$ & ~($width$u - 1u);
    }
    for (unsigned int i = t * $width$u; i < $span$u; i += $threads$u * $width$u) {
        if (low + i + $width$u <= $room$u)
            *reinterpret_cast<$name$_x$width$ *>(tile + i) = *reinterpret_cast<const $name$_x$width$ *>(from + low + i);
        else
            for (unsigned int n = 0; n < $width$u && low + i + n < $room$u; ++n) tile[i + n] = from[low + i + n];
    }
    unsigned int apart[$width$];
    #pragma unroll
    for (unsigned int n = 0; n < $width$u; ++n) {
        const unsigned int i = phase + n;
$lines$            apart[n] = $from$;
    }
    __syncthreads();
    if (t >= $active$u) return;
    #pragma unroll
    for (unsigned int k = 0; k < $at_once$u; ++k) {
        const unsigned int first = ((blockIdx.x * $at_once$u + k) * $active$u + t) * $width$u;
        const unsigned int j = (first - phase) / $period$u;
        if (j % $extent$u + (phase + $width$u - 1u) / $period$u < $extent$u && first + $width$u <= $count$u) {
$lines_begin$            const $element$ *const begin = tile + ($begin$ - low);
            $name$_x$width$ vector = {};
            #pragma unroll
            for (unsigned int n = 0; n < $width$u; ++n) $gather$;
            *reinterpret_cast<$name$_x$width$ *>(to + first) = vector;
        } else {
            // What goes on in the next row, and what is behind the last whole vector.
            for (unsigned int i = first; i < first + $width$u && i < $count$u; ++i) {
$lines$                to[i] = tile[$from$ - low];
            }
        }
    }
}
