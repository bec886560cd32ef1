
// $lanes$ threads make $lanes$ x $width$ periods of $period$ elements of the target, vectors in turns.
const width = $width$u;
const period = $period$u;
const extent = $extent$u;
const lanes = $lanes$u;
const bits = $bits$u;

// Two words of which the first one begins in its middle.
fn shifted(low: u32, high: u32, by: u32) -> u32 {
    return (low >> by) | ((high << (31u - by)) << 1u);
}

// The offset in the source of an element and of a period.
fn source(i: u32) -> u32 {
$lines$    return $from$;
}

fn begin(j: u32) -> u32 {
$lines_begin$    return $begin$;
}

fn element(i: u32) -> u32 {
    return from_[source(i) / $each$u] >> (source(i) % $each$u * $bits$u);
}

$kernel$    if (block >= $groups$u) {
        return;
    }
    if (block < $main$u) {
        let j = (block * $threads$u + t) / lanes * (lanes * width);
        if (j >= $count$u / period) {
            return;
        }
        let at = begin(j);
        let to = j / width * period + t % lanes;
        // Elements before the next axis ends.
        let rest = (extent - j % extent) * period;
$made$    } else {
        // The vectors of the same threads in which the next axis ends, and those behind them, element by element.
        let n = (block - $main$u) * $threads$u + t;
        let end = (n / (lanes * period) + 1u) * extent;
        let to = end / (lanes * width) * (lanes * period) + n % (lanes * period);
        if ((to + 1u) * width <= end * period || end % (lanes * width) == 0u) {
            return;
        }
        if ((to + 1u) * width <= $count$u) {
            let at = to * width;
            to_[to] = vec4<u32>($joined$);
        }
        // What lies behind the last element stays.
        if (to == $count$u / width) {
            for (var n = 0u; n < $count$u % width; n++) {
                let old = to_[to][n / $each$u];
                to_[to][n / $each$u] = insertBits(old, element(to * width + n), n % $each$u * $bits$u, $bits$u);
            }
        }
    }
}
