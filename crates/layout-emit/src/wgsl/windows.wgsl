
// A thread makes $width$ periods of $period$ elements of the target: whole vectors, which lie in the tile until threads write
// them side by side. The words of the source lie so that threads which read equally far apart meet in no bank.
const width = $width$u;
const period = $period$u;
const extent = $extent$u;
const all = $threads$u * width;
const apart = period | 1u;
var<workgroup> source_words: array<u32, $span$u / $each$u * 33u / 32u + 1u>;
var<workgroup> tile: array<vec4<u32>, $threads$u * apart>;

// The offset in the source of an element and of a period.
fn source(i: u32) -> u32 {
$lines$    return $from$;
}

fn begin(j: u32) -> u32 {
$lines_begin$    return $begin$;
}

fn word(at: u32) -> u32 {
    return source_words[at + at / 32u];
}

// A word of the target, of which the elements from one on and below another one are read again.
fn again(old: u32, at: u32, next: u32, end: u32, low: u32) -> u32 {
    var value = old;
    for (var k = 0u; k < $each$u; k++) {
        if (at + k >= next && at + k < end) {
            let other = source(at + k) - low;
            value = insertBits(value, word(other / $each$u) >> (other % $each$u * $bits$u), k * $bits$u, $bits$u);
        }
    }
    return value;
}

$kernel$    if (block >= $groups$u) {
        return;
    }
    let first = block * all;
    let end = min(first + all, $count$u / period);
    let low = begin(first) / width;
    let high = (begin(end - 1u) + source(period - 1u)) / width;
$each$
    var vector$k$ = vec4<u32>();
    if (low + t + $k$u * $threads$u <= high) {
        vector$k$ = from_[low + t + $k$u * $threads$u];
    }
$each$
$each$
    if (low + t + $k$u * $threads$u <= high) {
        let place = (t + $k$u * $threads$u) * 4u + (t + $k$u * $threads$u) / 8u;
        source_words[place] = vector$k$.x;
        source_words[place + 1u] = vector$k$.y;
        source_words[place + 2u] = vector$k$.z;
        source_words[place + 3u] = vector$k$.w;
    }
$each$
    workgroupBarrier();
    let j = first + t * width;
    if (j < end) {
        let at = begin(j) - low * width;
$made$    }
    workgroupBarrier();
    // Where the next axis ends among the periods of a thread, the others are further than if the axis had gone on.
    for (var n = t; n < (all / extent + 1u) * period; n += $threads$u) {
        let next = (first / extent + 1u + n / period) * extent;
        let at = next / width * width * period + n % period * width;
        if (next < end && at + width > next * period) {
            let place = (next - first) / width * apart + n % period;
            let old = tile[place];
            tile[place] = vec4<u32>(
                again(old.x, at, next * period, end * period, low * width),
                again(old.y, at + $each$u, next * period, end * period, low * width),
                again(old.z, at + 2u * $each$u, next * period, end * period, low * width),
                again(old.w, at + 3u * $each$u, next * period, end * period, low * width));
        }
    }
    workgroupBarrier();
$each$
    {
        let v = t + $k$u * $threads$u;
        let at = first / width * period + v;
        if (at < $count$u / width) {
            to_[at] = tile[v + v / period * (apart - period)];
        }
$last$    }
$each$
}
