// Columns of the target of a workgroup lie one after another in the tile, rows of which are words of four elements: those of
// the tile, and those of a sector behind it.
const groups = ($d_tile$u + 32u) / 4u;
const pitch = groups + 1u;
const wide = ($s_tile$u + 3u) / 4u;
const vectors = $d_tile$u / 16u;
var<workgroup> tile: array<u32, wide * 4u * pitch>;

// The offset in the source of what lies at `i` in the target.
fn next(i: u32) -> u32 {
$lines$    return $direct$;
}

fn source_word(i: u32) -> u32 {
    return from_[min(i, arrayLength(&from_) - 1u)];
}

// The vector of a column that begins at a row.
fn vector(column: u32, row: u32) -> vec4<u32> {
    let at = column * pitch + row / 4u;
    let by = row % 4u * 8u;
    let words = vec4<u32>(tile[at], tile[at + 1u], tile[at + 2u], tile[at + 3u]);
    let high = vec4<u32>(words.yzw, tile[at + 4u]);
    return (words >> vec4<u32>(by)) | ((high << vec4<u32>(31u - by)) << vec4<u32>(1u));
}

$kernel$    if (block >= $groups$u) {
        return;
    }
$starts$    let source = $source$;
    let goal = $target$;
    let columns = $columns$;
    let left = $left$;
    // Four rows of four columns.
$each$
    let row$k$ = (t + $k$u * $threads$u) / wide * 4u;
    let column$k$ = (t + $k$u * $threads$u) % wide * 4u;
    let mine$k$ = row$k$ < min(groups * 4u, left + 16u) && column$k$ < columns;
    let n$k$ = row$k$ + vec4<u32>(0u, 1u, 2u, 3u);
$rows_behind$    var low$k$ = vec4<u32>();
    var high$k$ = vec4<u32>();
    if (mine$k$) {
        let i = at$k$ / 4u;
        low$k$ = vec4<u32>(from_[i.x], from_[i.y], from_[i.z], from_[i.w]);
        high$k$ = vec4<u32>(source_word(i.x + 1u), source_word(i.y + 1u), source_word(i.z + 1u), source_word(i.w + 1u));
    }
$each$
    let last = columns - 1u;
$each$
    if (mine$k$) {
        let by = at$k$ % 4u * 8u;
        var rows = (low$k$ >> by) | ((high$k$ << (31u - by)) << vec4<u32>(1u));
$behind$        // Every other byte of two words, then two bytes of each.
        let even = (rows.xz & vec2<u32>(16711935u)) | ((rows.yw & vec2<u32>(16711935u)) << vec2<u32>(8u));
        let odd = ((rows.xz >> vec2<u32>(8u)) & vec2<u32>(16711935u)) | (rows.yw & vec2<u32>(4278255360u));
        let place = column$k$ * pitch + row$k$ / 4u;
        tile[place] = insertBits(even.x, even.y, 16u, 16u);
        tile[place + pitch] = insertBits(odd.x, odd.y, 16u, 16u);
        tile[place + 2u * pitch] = (even.x >> 16u) | (even.y & 4294901760u);
        tile[place + 3u * pitch] = (odd.x >> 16u) | (odd.y & 4294901760u);
    }
$each$
    workgroupBarrier();
    // Vectors of the target, from the first whole sector on.
$each$
    {
        let i = t + $k$u * $threads$u;
        let column = i / vectors;
        let begin = goal + column * $to$u;
        let row = (0u - begin) % 32u + i % vectors * 16u;
        let at = begin + row;
        if (column < columns && row < left && at + 16u <= $count$u) {
            to_[at / 16u] = vector(column, row);
        } else if (column < columns && row < left && at < $count$u) {
            // The last elements of the target are no whole vector; what lies behind them stays.
            let words = vector(column, row);
            for (var n = 0u; n < $count$u % 16u; n++) {
                to_[at / 16u][n / 4u] = insertBits(to_[at / 16u][n / 4u], words[n / 4u] >> (n % 4u * 8u), n % 4u * 8u, 8u);
            }
        }
    }
$each$
    // The vector of a column that begins before the first whole sector.
    if (left == $extent$u) {
        for (var column = t; column < columns; column += $threads$u) {
            let begin = goal + column * $to$u;
            let row = (0u - begin) % 16u;
            if (row < (0u - begin) % 32u) {
                to_[(begin + row) / 16u] = vector(column, row);
            }
        }
    }
}
