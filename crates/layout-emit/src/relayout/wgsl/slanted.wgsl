// Elements of a vector and of a word. Sectors that a workgroup writes, which may begin behind the tile; vectors of a row of
// the tile, one of which begins before it and one ends behind it.
const width = $width$u;
const each = $each$u;
const sector = 2u * width;
const beyond = $d_tile$u + sector;
const by_row = ($s_tile$u + sector - 2u) / width;
const pitch = by_row * width + $from$u % width;
// Rows that are read at once: as many rows further on, a row begins as far from a vector.
const down = $threads$u / by_row / $equal$u * $equal$u;
// Vectors side by side in a row of the target, and columns that are written at once.
const lanes = 8u;
const by = $threads$u / lanes;
const across = ($d_tile$u / width + lanes - 1u) / lanes;
// Words of a row of the tile that have a column of it.
const words = ($s_tile$u + 2u * each - 2u) / each;
var<workgroup> tile: array<u32, ((beyond + 1u) * pitch + sector) / each>;

fn element(at: u32) -> u32 {
    return extractBits(tile[at / each], at % each * $bits$u, $bits$u);
}

// A word of the target: elements of rows one after another, each where its word has it.
fn joined(at: vec4<u32>, by: vec4<u32>) -> u32 {
    return $word$;
}

// The offset in the source of what lies at `i` in the target.
fn next(i: u32) -> u32 {
$lines$    return $direct$;
}

fn source_word(i: u32) -> u32 {
    return from_[i / 4u][i % 4u];
}

$rotated$
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
    let turned = t / 8u % 4u;
    let apart = (vec4<u32>(0u, 1u, 2u, 3u) + turned) % 4u;
    let row = t / by_row;
    let slant = (source + row * $from$u) % width;
    let begin = t % by_row * width;
    let mine = row < down && begin < slant + columns;
    let base = (source + row * $from$u + begin - slant) / width;
    let place0 = (corner + row * pitch + begin - slant) / each + apart;
$each$
    var vector$k$ = vec4<u32>();
    if (mine && row + $k$u * down < rows) {
        vector$k$ = from_[base + $k$u * (down * $from$u / width)];
    }
$each$
$behind$$each$
    if (mine && row + $k$u * down < rows) {
        let words = rotated(vector$k$, turned);
        const ahead = $k$u * (down * pitch / each);
        tile[place0.x + ahead] = words.x;
        tile[place0.y + ahead] = words.y;
        tile[place0.z + ahead] = words.z;
        tile[place0.w + ahead] = words.w;
    }
$each$
    workgroupBarrier();
    // Vectors of the target, from the first whole sector on, which is the same row for all columns of a thread. As many
    // rows or columns further on, an element is as far from the begin of a word.
    let column0 = t / lanes;
    let lane = t % lanes * width;
    let head = (0u - (goal + column0 * $to$u)) % sector;
    let line = goal + column0 * $to$u + head + lane;
    let n = vec4<u32>(0u, 1u, 2u, 3u);
    let top = vec4<u32>(corner + (head + lane) * pitch + column0) + n * pitch;
    let place = top / each;
    let shift = top % each * $bits$u;
$each$
    {
        const k = $k$u / across * by;
        const step = $k$u % across * lanes * width;
        let is_whole = line + k * $to$u + step + width <= $count$u;
        if (column0 + k < columns && lane + step < $d_tile$u && head + lane + step < left && is_whole) {
            const ahead = step / each * pitch + k / each;
            to_[(line + k * $to$u + step) / width] = vec4<u32>(
                joined(place + ahead, shift),
                joined(place + ahead + pitch, shift),
                joined(place + ahead + 2u * pitch, shift),
                joined(place + ahead + 3u * pitch, shift));
        }
    }
$each$
    // The vector of a row that begins before the first whole sector.
    if (left == $extent$u) {
        for (var column = t; column < columns; column += $threads$u) {
            let begin = goal + column * $to$u;
            let at = (begin + width - 1u) / width * width;
            if (at < begin + (0u - begin) % sector) {
                let place = corner + column + (at - begin) * pitch;
                to_[at / width] = vec4<u32>($inside$);
            }
        }
    }
    // The last elements of the target if they are no whole vector; what lies behind them stays.
    let begin_last = goal + (columns - 1u) * $to$u;
    const at_last = $count$u / width * width;
    if (t == 0u && begin_last + left == $count$u && at_last - begin_last - (0u - begin_last) % sector < $d_tile$u) {
        for (var n = 0u; n < $count$u - at_last; n++) {
            let old = to_[at_last / width][n / each];
            let value = element(corner + columns - 1u + (at_last - begin_last + n) * pitch);
            to_[at_last / width][n / each] = insertBits(old, value, n % each * $bits$u, $bits$u);
        }
    }
}
