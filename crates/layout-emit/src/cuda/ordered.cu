    const unsigned int first = (blockIdx.x * $threads$u + threadIdx.x) * $width$u;
    if (first + $width$u <= $count$u) {
        $name$_x$width$ vector = {};
        #pragma unroll
        for (unsigned int n = 0; n < $width$u; ++n) {
            const unsigned int i = first + n;
$lines$            $gather$;
        }
        *reinterpret_cast<$name$_x$width$ *>(to + first) = vector;
    } else {
        for (unsigned int i = first; i < $count$u; ++i) {
$lines$            to[i] = from[$from$];
        }
    }
}
