    $element$ element[$at_once$];
    unsigned int place[$at_once$];
    const unsigned int first = blockIdx.x * $each$u + threadIdx.x;
    #pragma unroll
    for (unsigned int k = 0; k < $at_once$; ++k) {
        const unsigned int i = first + k * $threads$u;
        if (i < $count$u) {
$lines$            element[k] = from[$from$];
            place[k] = $to$;
        }
    }
    #pragma unroll
    for (unsigned int k = 0; k < $at_once$; ++k) {
        if (first + k * $threads$u < $count$u) to[place[k]] = element[k];
    }
}
