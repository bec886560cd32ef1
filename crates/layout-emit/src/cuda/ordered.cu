    const unsigned int i = (blockIdx.x * $threads$u + threadIdx.x) * $width$u;
    if (i >= $count$u) return;
    // Where the first element is, and its coordinates, which go on as a clock does.
$lines$    unsigned int at = $from$$digits$;
    if (i + $width$u <= $count$u) {
        $name$_x$width$ vector = {};
        #pragma unroll
        for (unsigned int n = 0; n < $width$u; ++n) {
            $gather$;
            $step$
        }
        *reinterpret_cast<$name$_x$width$ *>(to + i) = vector;
    } else {
        for (unsigned int n = i; n < $count$u; ++n) {
            to[n] = from[at];
            $step$
        }
    }
}
