    // Vectors of a thread begin at one place of a period: their elements are equally far from the period's first one. In the
    // tile, rows of $pitch$ elements of the source lie two vectors further apart, so that their banks differ.
    constexpr unsigned int width = $width$u, period = $period$u, extent = $extent$u, count = $count$u, room = $room$u;
    constexpr unsigned int pitch = $pitch$u, pad = pitch < room ? 2u * width : 0u, span = $span$u;
    constexpr unsigned int active = $active$u, each = $each$u, next = active * width / period;
    constexpr unsigned int rounds = (span + $threads$u * width - 1u) / ($threads$u * width);
    __shared__ __align__(16) $element$ tile[span + (span / pitch + 2u) * pad];
    const unsigned int t = threadIdx.x, phase = t * width % period;
    // The offset in the source of an element and of a period, and where an offset lies in the tile.
    const auto source = [](unsigned int i) {
$lines$            return $from$;
    };
    const auto begin = [](unsigned int j) {
$lines_begin$        return $begin$;
    };
    const auto place = [](unsigned int at) { return at + at / pitch * pad; };
$load$    // What the block reads, from a whole vector on.
    const unsigned int low = begin(blockIdx.x * (each / period)) & ~(width - 1u), below = place(low);
    const unsigned int end = min((blockIdx.x + 1u) * (each / period), count / period);
    const unsigned int high = begin(end - 1u) + source(period - 1u) + 1u;
    $name$_x$width$ vectors[rounds];
    #pragma unroll
    for (unsigned int k = 0; k < rounds; ++k) {
        const unsigned int at = low + (t + k * $threads$u) * width;
        if (at < high && at + width <= room) vectors[k] = load(from + at);
    }
    __syncwarp();
    #pragma unroll
    for (unsigned int k = 0; k < rounds; ++k) {
        const unsigned int at = low + (t + k * $threads$u) * width;
        if (at < high && at + width <= room) *reinterpret_cast<$name$_x$width$ *>(tile + (place(at) - below)) = vectors[k];
    }
    // What is behind the last whole vector of the source.
    #pragma unroll 1
    for (unsigned int at = room / width * width + t; at < high; at += $threads$u) tile[place(at) - below] = from[at];
    const unsigned int first = blockIdx.x * each + t * width, j = (first - phase) / period, step = place(begin(1u));
    // What is left of the target, and of the next axis so that no vector ends behind it.
    const unsigned int left = count - min(first, count), last = extent - (phase + width - 1u) / period;
    unsigned int x = j % extent, base = place(begin(j)) - below, at[width];
    #pragma unroll
    for (unsigned int n = 0; n < width; ++n) {
        const unsigned int i = phase + n;
        __builtin_assume(i < period + width);
        at[n] = base + place(source(i));
    }
    __syncthreads();
    if (t >= active) return;
    #pragma unroll
    for (unsigned int k = 0; k < $at_once$u; ++k) {
        const unsigned int ahead = k * active * width;
        if (x < last && ahead + width <= left) {
            $name$_x$width$ vector = {};
            #pragma unroll
            for (unsigned int n = 0; n < width; ++n) $gather$;
            *reinterpret_cast<$name$_x$width$ *>(to + first + ahead) = vector;
        } else if (ahead + width <= left) {
            // The next axis ends in the vector: the rest is further than if it had gone on.
            const unsigned int rest = extent - x, cut = rest * period - phase, went = (k * next + rest) * step + base;
            const unsigned int more = place(begin(j + k * next + rest)) - below - went;
            $name$_x$width$ vector = {};
            #pragma unroll
            for (unsigned int n = 0; n < width; ++n) $gather_cut$;
            *reinterpret_cast<$name$_x$width$ *>(to + first + ahead) = vector;
        } else {
            // What is behind the last whole vector of the target.
            #pragma unroll 1
            for (unsigned int i = ahead; i < ahead + width && i < left; ++i)
                to[first + i] = tile[place(source(first + i)) - below];
        }
        x += next;
        if (x >= extent) {
            // How much further the period is than if the axis had gone on.
            const unsigned int now = j + (k + 1u) * next, more = place(begin(now)) - below - base - (k + 1u) * next * step;
            x = next < extent ? x - extent : now % extent;
            base += more;
            #pragma unroll
            for (unsigned int n = 0; n < width; ++n) at[n] += more;
        }
    }
}
