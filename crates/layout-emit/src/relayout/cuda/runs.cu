    // A row is a run of elements side by side in one memory. A thread takes vector a2 + b2 of the row at a0 + b0 in memory and
    // at a1 + b1 in the tile, where a row begins as far from a vector as in the source: a is the thread's part, b the round's.
    constexpr unsigned int width = $width$u, each = $each$u;
    __shared__ __align__(16) $element$ tile[$shared$];
    const $word$ block = blockIdx.x;
    (void)block;
$starts$$left$    const $word$ source = $from$, target = $to$;
    const unsigned int skew = source & (width - 1u), slant = target & (each - 1u);
    const $word$ room = $room$u - (source - skew);
    from += source - skew;
    to += target;
$load$    {
        const $index$ t = threadIdx.x;
        $name$_x$width$ vectors[$rounds0$];
$thread0$        #pragma unroll
        for ($index$ k = 0; k < $rounds0$u; ++k) {
$round0$            const $index$ row = skew + a0 + b0, at = (row & ~($index$)(width - 1u)) + (a2 + b2) * width;
            if ($condition0$at < row + $length0$ && at + width <= room) vectors[k] = load(from + at);
        }
        __syncwarp();
        #pragma unroll
        for ($index$ k = 0; k < $rounds0$u; ++k) {
$round0$            const $index$ row = skew + a0 + b0, at = (row & ~($index$)(width - 1u)) + (a2 + b2) * width;
            if (!($condition0$at < row + $length0$)) continue;
            $element$ *const place = tile + (unsigned int)($front$u + skew + a1 + b1 + (at - row));
            if (at + width <= room) {
                #pragma unroll
                for (unsigned int n = 0; n < width / $piece$u; ++n)
                    reinterpret_cast<$name$_x$piece$ *>(place)[n] = reinterpret_cast<const $name$_x$piece$ *>(vectors[k].x)[n];
            } else {
                // What is behind the last whole vector of the source.
                #pragma unroll 1
                for (unsigned int n = 0; at + n < room; ++n) place[n] = from[at + n];
            }
        }
    }
    __syncthreads();
    // Threads that have nothing to do are like the last one that has. All words of some rounds are gathered before one is
    // written.
    const $index$ t = min(threadIdx.x, $active1$u - 1u);
    const int length = $length1$;
    #pragma unroll
    for ($index$ first = 0; first < $rounds1$u; first += $at_once$u) {
$thread1$        $name$_x$each$ words[$at_once$];
        #pragma unroll
        for (unsigned int j = 0; j < $at_once$u; ++j) {
            const $index$ k = first + j;
            if (k >= $rounds1$u) break;
$round1$            const unsigned int far = (unsigned int)(a0 + b0 + slant) & $mask$u;
            // The places of the elements around those of the word, which are `far` before the last ones.
            unsigned int places[2u * each - 1u];
            #pragma unroll
            for (unsigned int n = 0; n < 2u * each - 1u; ++n) {
                const unsigned int c = min((unsigned int)max((int)($number$ * each + n + $shift$u) - (int)(each - 1u), 0), $last$u);
$lines_of_place$                places[n] = skew + a1 + $place$;
            }
            #pragma unroll
            for (unsigned int bit = each / 2u; bit > 0u; bit /= 2u) {
                #pragma unroll
                for (unsigned int n = 0; n < each - 1u + bit; ++n) places[n] = far & bit ? places[n] : places[n + bit];
            }
            const $element$ *const row = tile + ($back$u + b1);
            $name$_x$each$ vector = {};
            #pragma unroll
            for (unsigned int n = 0; n < each; ++n) $gather$;
            words[j] = vector;
        }
        #pragma unroll
        for (unsigned int j = 0; j < $at_once$u; ++j) {
            const $index$ k = first + j;
            if (k >= $rounds1$u) break;
$round1$            const int c = (int)((a2 + b2) * each) - (int)((unsigned int)(a0 + b0 + slant) & $mask$u);
            if ($condition1$c >= 0 && c + (int)each <= length) *reinterpret_cast<$name$_x$each$ *>(to + a0 + b0 + c) = words[j];
        }
    }
$ends$
    // What is no whole word: elements before the first word of a row, and behind the last one.
    {
        const $index$ t = threadIdx.x;
$thread2$        #pragma unroll
        for ($index$ k = 0; k < $rounds2$u; ++k) {
$round2$            const int head = (int)(0u - (unsigned int)(a0 + b0 + slant) & $mask$u), n = (int)(a2 + b2), end = each - 1u;
            const unsigned int c = n < end ? n : length - 1 - (n - end);
            const bool mine = n < end ? n < min(head, length) : (int)c >= head && (int)c - head >= ((length - head) & ~end);
            if ($condition2$mine) {
$lines_of_place$                to[(a0 + b0) + c] = tile[$front$u + skew + a1 + b1 + $place$];
            }
        }
    }
$ends$
}
