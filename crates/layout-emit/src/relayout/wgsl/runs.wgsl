// A row is a run of elements side by side in one memory. A thread takes vector a2 + b2 of the row at a0 + b0 in memory and at
// a1 + b1 in the tile, where a row begins as far from a word as in the source: a is the thread's part, b the round's.
const width = $width$u;
const each = $each$u;
var<workgroup> tile: array<$kind$, $units$>;

// Where element `c` of a run of the target lies, and the element that is `n` behind the one `each - 1` before a word.
fn place(c: u32) -> u32 {
$lines_of_place$    return $place$;
}

fn around(word: u32, n: u32) -> u32 {
    return place(u32(clamp(i32(word * each + n + $shift$u) - i32(each - 1u), 0, $last$)));
}

fn element(at: u32) -> $kind$ {
    return $element$;
}

$rotated$
$kernel$    if (block >= $groups$u) {
        return;
    }
$starts$$left$    let source = $from$;
    let goal = $to$;
    let skew = source % width;
    let slant = goal % each;
    let base = source / width;
    let turned = t / 8u;
    let thread = t;
    {
$thread0$$each$
        var vector$k$ = vec4<u32>();
        {
            let k = $k$u;
$round0$            let row = skew + a0 + b0;
            let at = row / width + a2 + b2;
            if ($condition0$at * width < row + $length0$) {
                vector$k$ = from_[base + at];
            }
        }
$each$
$each$
        {
            let k = $k$u;
$round0$            let row = skew + a0 + b0;
            let at = row / width + a2 + b2;
            if ($condition0$at * width < row + $length0$) {
                let first = ($front$u + skew + a1 + b1 + at * width - row) / each;
                let words = rotated(vector$k$, turned * $turns$u);
$stores$            }
        }
$each$
    }
    workgroupBarrier();
    // Threads that have nothing to do are like the last one that has. All words of some rounds are gathered before one is
    // written.
    {
        let t = min(thread, $active1$u - 1u);
        let length = i32($length1$);
$thread1$        for (var first = 0u; first < $rounds1$u; first += $at_once$u) {
$each$
            var word$k$: $kind$;
            {
                let k = min(first + $k$u, $rounds1$u - 1u);
$round1$                let far = (a0 + b0 + slant) & $mask$u;
                let row = $back$u + skew + a1 + b1;
$places$                word$k$ = $joined$;
            }
$each$
$each$
            {
                let k = first + $k$u;
$round1$                let c = i32((a2 + b2) * each) - i32((a0 + b0 + slant) & $mask$u);
                let at = (goal + a0 + b0 + u32(c)) / each;
                if (k < $rounds1$u && $condition1$c < length && c + i32(each) > 0) {
$write$                }
            }
$each$
        }
    }
}
