//! Transposes of matrices: the tiles, their order, and the stores to the destination.

use super::lists::BUFFER;
use super::matrix::{Begins, Even, Listed, Matrix, lies_by_lines};
use super::moves::{Buffer, stream_line, stream_row};
use super::nest::{Checked, LINE, Nest};
use super::steps::Steps;
use super::tiles::{Ahead, SQUARE, Tiles, Traversal, shape, tile, width};
use crate::axes::Axis;

/// The bytes of a block along the destination and along the source.
const BLOCK_TO: usize = 256;
const BLOCK_FROM: usize = 4096;
/// Both sides of a block if rows are whole pages apart.
const BLOCK_OF_PAGES: usize = 512;
const PAGE: isize = 4096;
/// A matrix of at most this many bytes is one block: the second cache holds it and its transpose.
const KEPT: usize = 512 << 10;
/// The bytes of a streamed panel along the source: a page, or less if the rows of the source are
/// whole pages apart, and so share the sets of the caches.
const PANEL: usize = 4096;
const PANEL_OF_PAGES: usize = 2048;
/// Rows this far apart share the sets of the second cache too: their source is not prefetched.
const ALIASED: isize = 64 << 10;
const PANEL_OF_ALIASED: usize = 1024;
/// If the rows of the source are adjacent, the kernel moves this many bytes of them before the next
/// tile of columns: the runs in each row of the destination are longer. NHWC to NCHW gains 1.3 on
/// an EPYC (Zen 4), 1.1 to 1.5 on a Xeon.
const BAND: usize = 64 << 10;
/// From this number of rows of the source on, tiles begin at lines.
const SHIFTED: usize = 1024;
/// `CHUNK`: the bytes of a panel's row in the destination to gather before they are streamed.
/// `GATHERED`: the bytes of a panel along the source.
const CHUNK: usize = 256;
const GATHERED: usize = 512;
/// The most columns of a panel, and the bytes from one column to the next in the buffer: an odd
/// number of lines.
const COLUMNS: usize = BUFFER / PITCH;
const PITCH: usize = LINE + CHUNK;
/// For matrices of at most this many bytes, the next matrix is prefetched.
const SMALL: usize = 64 << 10;
/// Shorter rows of a transpose are streamed only if they are whole lines or adjacent.
const STREAMED_PANEL: usize = 256;
/// The longest adjacent rows that are streamed as one.
const SIDE_BY_SIDE: usize = 512;
/// Rows of at least this length that are whole lines apart and not streamed are cut at a line.
const ALIGNED: usize = 512;

/// # Safety
/// As [`Nest::run`](super::run); `from` and `to` are the places of the first byte, and neither rows
/// nor columns go on in other loops.
#[inline(always)]
pub(super) unsafe fn transposes<V: Tiles, const E: usize, const STREAM: bool>(
    nest: &Nest,
    i: Axis,
    j: Axis,
    from: *const u8,
    to: *mut u8,
) {
    let (from_rows, to_rows) = (Even(i.from), Even(j.to));
    let first = Matrix { from, from_rows, to, to_rows, rows: i.extent, columns: j.extent };
    // SAFETY: the caller's promise.
    unsafe { matrices::<V, E, STREAM, _, _>(nest, first) }
}

/// # Safety
/// As [`Nest::run`](super::run); `from` and `to` are the places of the first byte.
#[inline(always)]
pub(super) unsafe fn transposes_by_lists<V: Tiles, const E: usize, const STREAM: bool>(
    nest: &Checked,
    from: *const u8,
    to: *mut u8,
) {
    let made;
    let [rows, columns] = match &nest.lists {
        Some(lists) => lists,
        None => {
            made = nest.lists();
            &made
        }
    };
    let (from_rows, to_rows) = (Listed::new(rows), Listed::new(columns));
    let first = Matrix { from, from_rows, to, to_rows, rows: rows.len(), columns: columns.len() };
    // SAFETY: the caller's promise. A list has as many entries as there are rows or columns.
    unsafe { matrices::<V, E, STREAM, _, _>(nest, first) }
}

/// # Safety
/// As [`transposes`]; the first matrix.
#[inline(always)]
unsafe fn matrices<V: Tiles, const E: usize, const STREAM: bool, R: Begins, C: Begins>(
    nest: &Nest,
    matrix: Matrix<R, C>,
) {
    let mut buffer = (STREAM && V::STREAMS).then(Buffer::new);
    let mut steps = Steps::new(&nest.outer);
    while let Some((f, t)) = steps.next() {
        // While a small matrix is read, the next matrix is prefetched.
        let next = match steps.peek() {
            Some((next, _)) if matrix.rows * matrix.columns * E <= SMALL => Some(next - f),
            _ => None,
        };
        // SAFETY: the caller's promise: of a step, all elements of its matrix.
        unsafe {
            let matrix = Matrix { from: matrix.from.offset(f), to: matrix.to.offset(t), ..matrix };
            match &mut buffer {
                Some(buffer) if STREAM => streamed::<V, E, R, C>(matrix, buffer, next),
                _ => blocks::<V, E, R, C>(matrix),
            }
        }
    }
}

/// One matrix, with the widest stores that bypass the cache.
///
/// # Safety
/// As [`blocks`].
#[inline(always)]
unsafe fn streamed<V: Tiles, const E: usize, R: Begins, C: Begins>(
    matrix: Matrix<R, C>,
    buffer: &mut Buffer,
    next: Option<isize>,
) {
    let row = matrix.rows * E;
    // SAFETY: the caller's promise, and the condition of each branch.
    unsafe {
        if row <= SIDE_BY_SIDE && matrix.to_rows.step() == Some(row as isize) {
            return stream_side_by_side::<V, E, R, C>(matrix, buffer, next);
        }
        let matrix = from_a_line_on::<V, E, R, C>(matrix, STREAMED_PANEL);
        if lines_are_tiles::<V, E, R, C>(matrix) {
            return stream_tiles::<V, E, R, C>(matrix, next);
        }
        if matrix.rows * E < STREAMED_PANEL {
            return blocks::<V, E, R, C>(matrix);
        }
        stream_panels::<V, E, R, C>(matrix, buffer);
    }
}

/// Moves the elements before the first line of the destination, and returns the rest of the matrix.
/// Rows of less than `least` bytes, or not whole lines apart, are not cut.
///
/// # Safety
/// As [`blocks`].
#[inline(always)]
unsafe fn from_a_line_on<V: Tiles, const E: usize, R: Begins, C: Begins>(
    matrix: Matrix<R, C>,
    least: usize,
) -> Matrix<R, C> {
    let before = matrix.to.addr().wrapping_neg() % LINE;
    if before == 0
        || !before.is_multiple_of(E)
        || matrix.rows * E < least
        || !lies_by_lines(matrix.to_rows)
    {
        return matrix;
    }
    // SAFETY: the caller's promise: a row is longer than a line.
    unsafe {
        V::block::<E, false, R, C>(
            matrix.part::<E>(0, 0, before / E, matrix.columns),
            Traversal::Strip,
        )
    }
    matrix.part::<E>(before / E, 0, matrix.rows - before / E, matrix.columns)
}

/// One block, down the columns of the source, if the second cache holds both sides. Otherwise block
/// after block: small squares if rows a power of two apart share the sets of a cache.
///
/// # Safety
/// All elements of the matrix may be read and written, and the instructions of `V` are there.
#[inline(always)]
unsafe fn blocks<V: Tiles, const E: usize, R: Begins, C: Begins>(matrix: Matrix<R, C>) {
    let (rows, columns) = (matrix.rows, matrix.columns);
    let line = const { LINE / E };
    let shares_sets = |bits: isize| bits % PAGE == 0;
    let (height, width, is_down) = if rows * columns * E <= KEPT {
        (rows + line, columns, true)
    } else if shares_sets(matrix.from_rows.bits()) || shares_sets(matrix.to_rows.bits()) {
        (BLOCK_OF_PAGES / E, BLOCK_OF_PAGES / E, true)
    } else {
        (BLOCK_TO / E, BLOCK_FROM / E, false)
    };
    // The elements before the first line, if all rows are cut at the same element.
    let before = matrix.to.addr().wrapping_neg() % LINE;
    let is_cut = before.is_multiple_of(E) && rows * E >= ALIGNED && lies_by_lines(matrix.to_rows);
    let before = if is_cut { before / E } else { 0 };
    let shift = (line - before) % line;
    for j in (0..columns).step_by(width) {
        let width = width.min(columns - j);
        let mut i = 0;
        while i < rows {
            // The last block is at least a square.
            let next = (i + shift) / height * height + height - shift;
            let end = if next + line > rows { rows } else { next };
            let head = if i == 0 { before } else { 0 };
            // SAFETY: the caller's promise: the block is a part.
            unsafe {
                let part = matrix.part::<E>(i, j, end - i, width);
                let order =
                    if is_down || head > 0 { Traversal::Down(head) } else { Traversal::Along };
                V::block::<E, false, R, C>(part, order)
            }
            i = end;
        }
    }
}

/// Whether the rows of the destination are whole lines, each row of a tile is one line, and there
/// is a tile of columns. If so, tiles are streamed directly from registers.
#[inline(always)]
fn lines_are_tiles<V: Tiles, const E: usize, R: Begins, C: Begins>(matrix: Matrix<R, C>) -> bool {
    let fits = const { V::BYTES == LINE && shape::<V>(E) == SQUARE };
    fits && matrix.columns >= const { width::<V>(E) }
        && matrix.to.addr().is_multiple_of(LINE)
        && lies_by_lines(matrix.to_rows)
}

/// The elements of a streamed panel along the source.
#[inline(always)]
fn panel<const E: usize, R: Begins>(from_rows: R) -> usize {
    let bits = from_rows.bits();
    (if bits % ALIASED == 0 {
        PANEL_OF_ALIASED
    } else if bits % 4096 == 0 {
        PANEL_OF_PAGES
    } else {
        PANEL
    }) / E
}

/// Tiles streamed from registers, panel by panel: all rows of the columns in a part of the source's
/// pages, in bands of one tile, or of more where rows are short. If the last tile of a band does
/// not fit, the tile begins earlier and writes some elements again.
///
/// # Safety
/// As [`blocks`], of at least a tile of columns, and [`lines_are_tiles`] holds.
#[inline(always)]
unsafe fn stream_tiles<V: Tiles, const E: usize, R: Begins, C: Begins>(
    matrix: Matrix<R, C>,
    next: Option<isize>,
) {
    let side = const { width::<V>(E) };
    let (rows, columns) = (matrix.rows, matrix.columns);
    let whole_rows = rows / side * side;
    let side_by_side = matrix.from_rows.step() == Some((columns * E) as isize);
    // If the compiler knew that most bands are one tile, it would keep a pointer to each row of a
    // tile on the stack.
    let band = std::hint::black_box(if side_by_side { BAND } else { 0 });
    // If rows of the source are whole lines apart too, tiles begin at lines: an additional first
    // tile covers the elements before. For a short row, the additional tile costs too much.
    let before = matrix.from.addr() % LINE / E;
    let by_lines = matrix.from_rows.bits() % LINE as isize == 0 && columns * E >= SHIFTED;
    let shift = if by_lines { before } else { 0 };
    let panel = panel::<E, R>(matrix.from_rows);
    // SAFETY: the caller's promise: each tile and the strip is a part, and the rows ahead are
    // there.
    unsafe {
        for first in (0..columns).step_by(panel) {
            // The additional tile of the shift does not make a panel.
            let end = if first + panel < columns { first + panel } else { columns + shift };
            let band = (band / (E * (end - first)) / side * side).max(side);
            let step = if matrix.from_rows.bits() % ALIASED == 0 { 0 } else { band };
            for i in (0..whole_rows).step_by(band) {
                for j in (first..end).step_by(side) {
                    let j = j.saturating_sub(shift).min(columns - side);
                    for i in (i..whole_rows.min(i + band)).step_by(side) {
                        let ahead = Ahead::of(next, step, i + side, rows);
                        tile::<V, E, SQUARE, true, R, C>(matrix.part::<E>(i, j, side, side), ahead);
                    }
                }
            }
        }
        let below = matrix.part::<E>(whole_rows, 0, rows - whole_rows, columns);
        V::block::<E, false, R, C>(below, Traversal::Strip);
    }
}

/// Panels of columns go through a buffer in the cache, and whole lines of the destination are
/// streamed from the buffer. The rest of a line stays in the buffer until the next rows.
///
/// # Safety
/// As [`blocks`].
#[inline(always)]
unsafe fn stream_panels<V: Tiles, const E: usize, R: Begins, C: Begins>(
    matrix: Matrix<R, C>,
    buffer: &mut Buffer,
) {
    let (height, width) = (
        const { CHUNK / E },
        const { if GATHERED / E < COLUMNS { GATHERED / E } else { COLUMNS } },
    );
    let buffer = buffer.begin();
    for first in (0..matrix.columns).step_by(width) {
        let columns = width.min(matrix.columns - first);
        for i in (0..matrix.rows).step_by(height) {
            let rows = height.min(matrix.rows - i);
            let last = i + rows == matrix.rows;
            let ahead = Ahead::of(None, height, i + height, matrix.rows);
            // SAFETY: the caller's promise for the part of the matrix. The buffer has `COLUMNS`
            // rows of a line and a chunk; of them, `columns` rows are used, and `rows * E` bytes
            // behind the line. In a row of the buffer, `LINE` stands for the place of element `i`
            // in the destination. Of the first chunk, bytes from there on are written; later ones
            // begin with those since the last whole line, at most a line, which the first chunk has
            // filled up: a chunk that is not the last one is larger than a line.
            unsafe {
                let part = matrix.part::<E>(i, first, rows, columns);
                let into_buffer = part.into_buffer(buffer.add(LINE), PITCH);
                V::block::<E, true, R, Even>(into_buffer, Traversal::IntoBuffer(ahead));
                let end = LINE + rows * E;
                for j in 0..columns {
                    let row = buffer.add(j * PITCH);
                    let to = part.target(j);
                    let behind = to.addr() % LINE;
                    let mut at = LINE - behind;
                    if i == 0 {
                        let head = (to.addr().wrapping_neg() % LINE).min(end - LINE);
                        to.copy_from_nonoverlapping(row.add(LINE), head);
                        at = LINE + head;
                    }
                    let place = |at: usize| to.offset(at as isize - LINE as isize);
                    while at + LINE <= end {
                        stream_line::<V>(row.add(at), place(at));
                        at += LINE;
                    }
                    if last {
                        place(at).copy_from_nonoverlapping(row.add(at), end - at);
                    } else {
                        row.copy_from_nonoverlapping(row.add(end - LINE), LINE);
                    }
                }
            }
        }
    }
}

/// Columns whose rows in the destination are adjacent: the buffer gathers as many as fit, and
/// streams them as one row.
///
/// # Safety
/// As [`blocks`]; the rows of the destination are adjacent, and one row fits in the buffer.
#[inline(always)]
unsafe fn stream_side_by_side<V: Tiles, const E: usize, R: Begins, C: Begins>(
    matrix: Matrix<R, C>,
    buffer: &mut Buffer,
    next: Option<isize>,
) {
    let row = matrix.rows * E;
    // Whole tiles, if more than one fits.
    let fitting = BUFFER / row;
    let width = if fitting > 64 && fitting < matrix.columns { fitting / 64 * 64 } else { fitting };
    let buffer = buffer.begin();
    for first in (0..matrix.columns).step_by(width) {
        let columns = width.min(matrix.columns - first);
        // SAFETY: the caller's promise for the part; `columns` rows fit in the buffer, and are
        // adjacent in the buffer and in the destination.
        unsafe {
            let part = matrix.part::<E>(0, first, matrix.rows, columns);
            let bytes = match next {
                Some(next) if first + width >= matrix.columns => next - (first * E) as isize,
                _ => (width * E) as isize,
            };
            let ahead = Ahead { rows: 0, bytes };
            V::block::<E, true, R, Even>(
                part.into_buffer(buffer, row),
                Traversal::IntoBuffer(ahead),
            );
            stream_row::<V>(buffer, part.to, columns * row);
        }
    }
}
