    __shared__ __align__(16) $element$ tile[$shared$];
    const $index$ t = threadIdx.x;
    const $word$ block = blockIdx.x;
    (void)block;
$starts$    from += $from$;
    to += $to$;
$left$$load$$store$    $name$_x$vector0$ vectors[$rounds0$];
    #pragma unroll
    for ($index$ k = 0; k < $rounds0$u; ++k) {
$lines0$        $condition0$vectors[k] = load(from + $global0$);
    }
    __syncwarp();
    #pragma unroll
    for ($index$ k = 0; k < $rounds0$u; ++k) {
$lines0$        $condition0${
            const unsigned int place = $place0$;
$pieces0$        }
    }
    __syncthreads();
    #pragma unroll
    for ($index$ k = 0; k < $rounds1$u; ++k) {
$lines1$        $condition1${
            const unsigned int place = $place1$;
            $name$_x$vector1$ vector = {};
$pieces1$            store(vector, to + $global1$);
        }
    }
}
