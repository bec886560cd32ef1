    $element$ element[$at_once$];
    $word$ place[$at_once$];
    const $word$ first = ($word$)blockIdx.x * $each$u + threadIdx.x;
    #pragma unroll
    for (unsigned int k = 0; k < $at_once$; ++k) {
        const $word$ i = first + k * $threads$u;
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
