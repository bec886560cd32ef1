// Elements of a vector and of a word. Sectors that a workgroup writes, which may begin behind the tile; vectors of a row of
// the tile, one of which begins before it and one ends behind it.
const width = $width$u;
const each = $each$u;
const sector = 2u * width;
const beyond = $d_tile$u + sector;
const by_row = ($s_tile$u + sector - 2u) / width;
const pitch = by_row * width + $from$u % width;
// Vectors side by side in a row of the target, and columns that are written at once.
const lanes = 8u;
const by = $threads$u / lanes;
const across = ($d_tile$u / width + lanes - 1u) / lanes;
var<workgroup> tile: array<u32, ((beyond + 1u) * pitch + sector) / each>;

fn element(at: u32) -> u32 {
    return extractBits(tile[at / each], at % each * $bits$u, $bits$u);
}

// A word of the target: elements of rows one after another, each turned to where it belongs.
fn joined(at: vec4<u32>, by: vec4<u32>) -> u32 {
    return turned(at.x, by.x, 0u) | turned(at.y, by.y, 1u) | turned(at.z, by.z, 2u) | turned(at.w, by.w, 3u);
}

fn turned(at: u32, by: u32, n: u32) -> u32 {
    if (n >= each) {
        return 0u;
    }
    return ((tile[at] << by) | (tile[at] >> ((32u - by) & 31u))) & ((~0u >> (32u - $bits$u)) << (n * $bits$u));
}

// A vector at an end of a row: elements of the next row are read where they lie, and what lies behind the last one stays. One
// thread writes all of it: who writes a component of a vector may write the others, too.
fn write_end(at: u32, begin: u32, left: u32, column: u32) {
    var words = array<u32, 4>();
    for (var n = 0u; n < width; n++) {
        let i = at + n;
        var value = 0u;
        if (i - begin < left) {
            value = element(column + (i - begin) * pitch);
        } else if (i < $count$u) {
$lines$            let source = $direct$;
            value = extractBits(from_[source / width][source / each % 4u], source % each * $bits$u, $bits$u);
        } else {
            value = extractBits(to_[at / width][n / each], n % each * $bits$u, $bits$u);
        }
        words[n / each] |= value << (n % each * $bits$u);
    }
    to_[at / width] = vec4<u32>(words[0], words[1], words[2], words[3]);
}

$kernel$    if (block >= $groups$u) {
        return;
    }
$starts$    let source = $source$;
    let goal = $target$;
    let columns = $columns$;
    let left = $left$;
    let rows = min(left, beyond);
    // The element of row 0 and column 0: row and column go on by pitch and by 1.
    let corner = source % width;
$each$
    var vector$k$ = vec4<u32>();
    {
        let row = (t + $k$u * $threads$u) / by_row;
        let slant = (source + row * $from$u) % width;
        let first = (t + $k$u * $threads$u) % by_row * width;
        if (row < rows && first < slant + columns) {
            vector$k$ = from_[(source + row * $from$u - slant + first) / width];
        }
    }
$each$
    {
        let row = (t + $k$u * $threads$u) / by_row;
        let slant = (source + row * $from$u) % width;
        let first = (t + $k$u * $threads$u) % by_row * width;
        if (row < rows && first < slant + columns) {
            let place = (corner + row * pitch + first - slant) / each;
            tile[place] = vector$k$.x;
            tile[place + 1u] = vector$k$.y;
            tile[place + 2u] = vector$k$.z;
            tile[place + 3u] = vector$k$.w;
        }
    }
$each$
    workgroupBarrier();
    // Whole vectors of the target, from the first whole sector on, which is the same row for all columns of a thread. As many
    // rows or columns further on, an element is as far from the begin of a word.
    let column0 = t / lanes;
    let lane = t % lanes * width;
    let head = (0u - (goal + column0 * $to$u)) % sector;
    let line = goal + column0 * $to$u + head + lane;
    let n = vec4<u32>(0u, 1u, 2u, 3u);
    let top = vec4<u32>(corner + (head + lane) * pitch + column0) + n * pitch;
    let place = top / each;
    let turn = (n - top % each) * $bits$u % 32u;
$each$
    {
        const k = $k$u / across * by;
        const step = $k$u % across * lanes * width;
        if (column0 + k < columns && lane + step < $d_tile$u && head + lane + step + width <= rows) {
            const ahead = step / each * pitch + k / each;
            to_[(line + k * $to$u + step) / width] = vec4<u32>(
                joined(place + ahead, turn),
                joined(place + ahead + pitch, turn),
                joined(place + ahead + 2u * pitch, turn),
                joined(place + ahead + 3u * pitch, turn));
        }
    }
$each$
    // The ends of the axis: the vectors that begin before the first sector, and behind the last whole vector, one each at most.
    if (left == $extent$u) {
        for (var column = t; column < columns; column += $threads$u) {
            let begin = goal + column * $to$u;
            let at = (begin + width - 1u) / width * width;
            if (at < begin + (0u - begin) % sector) {
                write_end(at, begin, left, corner + column);
            }
        }
    }
    if (left < beyond) {
        for (var column = t; column < columns; column += $threads$u) {
            let begin = goal + column * $to$u;
            let head = (0u - begin) % sector;
            let end = min(head + $d_tile$u, left);
            let at = begin + head + (max(end, head) - head) / width * width;
            if (at < begin + end) {
                write_end(at, begin, left, corner + column);
            }
        }
    }
}
