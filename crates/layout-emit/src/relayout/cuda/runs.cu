    // A row is a run of elements side by side in one memory. A thread takes vector a2 + b2 of the row at a0 + b0 in memory and
    // at a1 + b1 in the tile: a is the thread's part, b the round's. In the tile, a row of the source begins as far from a
    // vector as in memory.
    constexpr unsigned int width = $width$u, each = $each$u;
    __shared__ __align__(16) $element$ tile[$shared$];
    const $word$ block = blockIdx.x;
    (void)block;
$starts$$left$    const $word$ source = $from$, target = $to$;
    const unsigned int skew = source & (width - 1u);
    const $word$ room = $room$u - (source - skew);
    from += source - skew;
    to += target;
$load$    {
        const $index$ t = threadIdx.x;
        $name$_x$width$ vectors[$rounds0$];
        unsigned int mine = 0;
$thread0$        #pragma unroll
        for ($index$ k = 0; k < $rounds0$u; ++k) {
$round0$            const unsigned int slope = (unsigned int)(skew + a0 + b0) & (width - 1u), ahead = (a2 + b2) * width;
            if ($condition0$ahead < slope + $length0$ && a0 + b0 + (skew - slope + ahead + width) <= room) {
                vectors[k] = load(from + a0 + (int)(skew - slope + ahead) + b0);
                mine |= 1u << k;
            }
        }
        __syncwarp();
        #pragma unroll
        for ($index$ k = 0; k < $rounds0$u; ++k) {
$round0$            const unsigned int slope = (unsigned int)(skew + a0 + b0) & (width - 1u), ahead = (a2 + b2) * width;
            $element$ *const place = tile + (int)(skew + a1 + ahead - slope) + b1;
            if (mine >> k & 1u) {
                #pragma unroll
                for (unsigned int n = 0; n < width / $piece$u; ++n)
                    reinterpret_cast<$name$_x$piece$ *>(place)[n] = reinterpret_cast<const $name$_x$piece$ *>(vectors[k].x)[n];
            }
        }
        // What is behind the last whole vector of the source.
        if (room < $reach$u) {
            #pragma unroll 1
            for ($index$ k = 0; k < $rounds0$u; ++k) {
$round0$                const $index$ row = skew + a0 + b0, at = row - (row & (width - 1u)) + (a2 + b2) * width;
                if (!($condition0$at < row + $length0$ && at + width > room)) continue;
                #pragma unroll 1
                for (unsigned int n = 0; at + n < room; ++n) tile[(unsigned int)(skew + a1 + b1 + (at - row)) + n] = from[at + n];
            }
        }
    }
    __syncthreads();
    const int length = $length1$;
    {
        // Threads that have nothing to do are like the last one that has.
        const $index$ t = min(threadIdx.x, $active1$u - 1u);
$thread1$        #pragma unroll
        for ($index$ first = 0; first < $rounds1$u; first += $at_once$u) {
            $name$_x$each$ words[$at_once$];
            #pragma unroll
            for (unsigned int j = 0; j < $at_once$u; ++j) {
                const $index$ k = first + j;
                if (k >= $rounds1$u) break;
$round1$                unsigned int places[each];
                #pragma unroll
                for (unsigned int n = 0; n < each; ++n) {
                    const unsigned int c = min((unsigned int)($number$ * each + n), $last$u);
$lines_of_place$                    places[n] = skew + a1 + $place$;
                }
                const $element$ *const row = tile + b1;
                $name$_x$each$ vector = {};
                #pragma unroll
                for (unsigned int n = 0; n < each; ++n) $gather$;
                words[j] = vector;
            }
$between$            #pragma unroll
            for (unsigned int j = 0; j < $at_once$u; ++j) {
                const $index$ k = first + j;
                if (k >= $rounds1$u) break;
$round1$                const int c = (int)((a2 + b2) * each);
                if ($condition1$c < length) *reinterpret_cast<$name$_x$each$ *>($kept$ + c) = words[j];
            }
        }
    }
$via$
    __syncthreads();
    const unsigned int slant = target & (width - 1u);
    (void)slant;
    {
        constexpr unsigned int unit = $unit$u;
        const $index$ t = min(threadIdx.x, $active2$u - 1u);
$thread2$        #pragma unroll
        for ($index$ first = 0; first < $rounds2$u; first += 4u) {
            $name$_x$unit$ words[4];
            #pragma unroll
            for (unsigned int j = 0; j < 4u; ++j) {
                const $index$ k = first + j;
                if (k >= $rounds2$u) break;
$round2$                const unsigned int far = $far$;
                (void)far;
                const $element$ *const place = tile + (width + a1 + (a2 + b2) * unit) + b1;
                words[j] = *reinterpret_cast<const $name$_x$unit$ *>(place);
$shifted$            }
            #pragma unroll
            for (unsigned int j = 0; j < 4u; ++j) {
                const $index$ k = first + j;
                if (k >= $rounds2$u) break;
$round2$                const unsigned int far = $far$;
                const int c = (int)((a2 + b2) * unit - far);
                if ($condition2$c >= 0 && c + (int)unit <= length) *reinterpret_cast<$name$_x$unit$ *>(to + a0 + c + b0) = words[j];
            }
        }
    }
$via$
$ends$
    // What is no whole word: elements before the first word of a row, and behind the last one.
    {
        const $index$ t = threadIdx.x;
$thread3$        #pragma unroll
        for ($index$ k = 0; k < $rounds3$u; ++k) {
$round3$            const int head = (int)(0u - (unsigned int)(a0 + b0 + slant) & (each - 1u)), n = (int)(a2 + b2), end = each - 1u;
            const int c = n < end ? n : length - 1 - (n - end);
            const bool mine = n < end ? n < min(head, length) : c >= head && c - head >= ((length - head) & ~end);
            if ($condition3$mine) to[(a0 + b0) + c] = tile[width + (a1 + b1) + c];
        }
    }
$ends$
}
