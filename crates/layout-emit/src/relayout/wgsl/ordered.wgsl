
// Vectors of a thread begin at one place of a period: their elements are equally far from the period's first one. The tile has
// a word for each element, which begins with it, and rows of $pitch$ elements of the source lie a few words further apart, so
// that their banks differ.
const width = $width$u;
const period = $period$u;
const extent = $extent$u;
const moving = $active$u;
const next = moving * width / period;
const all = moving * width * $at_once$u;
const pad = 8u * u32($pitch$u < $room$u);
var<workgroup> tile: array<u32, $span$u + ($span$u / $pitch$u + 2u) * pad>;

// The offset in the source of an element and of a period, and where an offset lies in the tile.
fn source(i: u32) -> u32 {
$lines$    return $from$;
}

fn begin(j: u32) -> u32 {
$lines_begin$    return $begin$;
}

fn place(at: u32) -> u32 {
    return at + at / $pitch$u * pad;
}

// What the tile has of element `n` of four.
fn split(four: $four$, n: u32) -> u32 {
    return $split$;
}

$kernel$    if (block >= $groups$u) {
        return;
    }
    let phase = t * width % period;
    // What the workgroup reads, four elements at once.
    let low = begin(block * (all / period)) / 4u;
    let below = place(low * 4u);
    let end = min((block + 1u) * (all / period), $count$u / period);
    let high = begin(end - 1u) + source(period - 1u) + 1u;
    // Every eight threads begin with another element, so that their banks differ.
    let turned = t / 8u;
$each$
    var four$k$ = $four$();
    if ((low + t + $k$u * $threads$u) * 4u < high) {
        four$k$ = $fetched$;
    }
$each$
$each$
    if ((low + t + $k$u * $threads$u) * 4u < high) {
        let at = place((low + t + $k$u * $threads$u) * 4u) - below;
        tile[at + turned % 4u] = split(four$k$, turned % 4u);
        tile[at + (turned + 1u) % 4u] = split(four$k$, (turned + 1u) % 4u);
        tile[at + (turned + 2u) % 4u] = split(four$k$, (turned + 2u) % 4u);
        tile[at + (turned + 3u) % 4u] = split(four$k$, (turned + 3u) % 4u);
    }
$each$
    let first = block * all + t * width;
    let j = (first - phase) / period;
    let step = place(begin(1u));
    // What is left of the target, and of the next axis so that no vector ends behind it.
    let left = $count$u - min(first, $count$u);
    let last = extent - (phase + width - 1u) / period;
    var x = j % extent;
    var base = place(begin(j)) - below;
    workgroupBarrier();
$each$
$at$$each$
    if (t >= moving) {
        return;
    }
$each$
    {
        const k = $k$u;
        let ahead = k * moving * width;
        let by = base + k * next * step;
        let to = (first + ahead) / width;
        if (x < last && ahead + width <= left) {
            to_[to] = vec4<u32>($gather$);
        } else if (ahead + width <= left) {
            // The next axis ends in the vector: the rest is further than if it had gone on.
            let rest = extent - x;
            let cut = rest * period - phase;
            let more = place(begin(j + k * next + rest)) - below - (by + rest * step);
            to_[to] = vec4<u32>($gather_cut$);
        } else if (ahead < left) {
            // What is behind the last whole vector of the target, and what lies behind it stays.
            for (var n = 0u; n < left - ahead; n++) {
                let element = tile[place(source(first + ahead + n)) - below];
                to_[to][n / $each$u] = insertBits(to_[to][n / $each$u], element, n % $each$u * $bits$u, $bits$u);
            }
        }
        x += next;
        if (x >= extent) {
            // How much further the period is than if the axis had gone on.
            let now = j + (k + 1u) * next;
            base = place(begin(now)) - below - (k + 1u) * next * step;
            x = now % extent;
        }
    }
$each$
}
