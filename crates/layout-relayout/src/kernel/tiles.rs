//! Matrices, and their tiles that are transposed in registers.
//!
//! ```text
//! N = 16 / E rows of 16 bytes are transposed in log2 N steps:
//!     r'[2k], r'[2k+1] = the elements of r[k] and r[k + N/2] in turns
//! ```
//!
//! Wider registers do this in each lane of 16 bytes, and then exchange lanes.

use super::matrix::{Begins, Matrix};
use super::nest::LINE;
#[cfg(target_arch = "aarch64")]
use super::registers::neon::Q;
#[cfg(target_arch = "x86_64")]
use super::registers::x86::{W, X, Y, Z};
use super::registers::{Bytes, Narrow, Register, prefetch};

/// The elements in 16 bytes.
pub(super) const fn lane(e: usize) -> usize {
    16 / e
}

/// The elements in a register.
pub(super) const fn width<V: Register>(e: usize) -> usize {
    V::LANES * lane(e)
}

/// With less than a lane of rows or columns, elements of one or two bytes go through registers if
/// they fill this many lanes.
const PART_OF_TILE: usize = 6;

/// The shapes of tiles: a register by a register; a lane of the source by a register of the
/// destination; a register of the source by a lane of the destination.
pub(super) const SQUARE: u8 = 0;
pub(super) const TALL: u8 = 1;
pub(super) const WIDE: u8 = 2;

/// The shape of most tiles: squares, if the registers suffice.
pub(super) const fn shape<V: Register>(e: usize) -> u8 {
    if width::<V>(e) <= 16 { SQUARE } else { WIDE }
}

/// The prefetch while a row is read: `bytes` after the start of the row that is `rows` below.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    pub(super) rows: usize,
    pub(super) bytes: isize,
}

impl Ahead {
    pub(super) const NOTHING: Self = Ahead { rows: 0, bytes: 0 };

    /// Prefetches the line `next` bytes further on; without `next`, the rows that follow row `end`,
    /// if there are `rows` more.
    #[inline(always)]
    pub(super) fn of(next: Option<isize>, rows: usize, end: usize, all: usize) -> Self {
        match next {
            Some(bytes) => Ahead { rows: 0, bytes },
            None => Ahead { rows: if end + rows <= all { rows } else { 0 }, bytes: 0 },
        }
    }
}

/// The order of the squares of a block.
#[derive(Clone, Copy)]
pub(super) enum Traversal {
    /// Along the rows of the source, into a buffer in the first cache; each tile prefetches ahead
    /// of its rows.
    IntoBuffer(Ahead),
    /// Along the rows of the source.
    Along,
    /// Along the rows of the destination, whose first line ends after this many elements.
    Down(usize),
    /// Wide tiles along the rows of the source, without squares.
    Strip,
}

/// Squares of lines, so that a whole line of either memory is read or written at once, then strips
/// and elements at the edges. A block smaller than a square has tiles instead. If the rest is more
/// than a quarter of a square, the last square begins earlier and writes some elements again.
///
/// # Safety
/// All elements of the matrix may be read and written, the instructions of `V` are there, and the
/// rows ahead are there, whatever their bytes.
#[inline(always)]
pub(super) unsafe fn block<
    V: Register,
    const E: usize,
    const INTO_BUFFER: bool,
    R: Begins,
    C: Begins,
>(
    matrix: Matrix<R, C>,
    order: Traversal,
) {
    let (all, line) = (const { width::<V>(E) }, const { LINE / E });
    let square = const { shape::<V>(E) == SQUARE };
    let tile_height = if square { all } else { const { lane(E) } };
    let (rows, columns) = (matrix.rows, matrix.columns);
    if rows.min(columns) < const { lane(E) } {
        // SAFETY: the caller's promise.
        return unsafe { edge::<E, R, C>(matrix) };
    }
    let is_large = rows >= line && columns >= line;
    let (height, width) = if is_large { (line, line) } else { (tile_height, all) };
    // A constant for the compiler: no tile tests whether to prefetch.
    let ahead = match order {
        Traversal::IntoBuffer(ahead) if INTO_BUFFER => ahead,
        _ => Ahead::NOTHING,
    };
    let head = match order {
        Traversal::Down(head) if rows >= height => head % height,
        _ => 0,
    };
    // The first square covers the elements before the line of the second square.
    let shift = if head > 0 { height - head } else { 0 };
    let covered = |count: usize, side: usize, shift: usize| {
        let rest = (count + shift) % side;
        let begins_earlier = count >= side && (rest > side / 4 || count < side + rest);
        if begins_earlier { count } else { count - rest.min(count) }
    };
    let (whole_rows, whole_columns) = match order {
        Traversal::Strip => (0, columns),
        _ => (covered(rows, height, shift), covered(columns, width, 0)),
    };
    let (below, beside) = (rows - whole_rows, columns - whole_columns);
    // SAFETY: the caller's promise: each tile and each strip is a part.
    unsafe {
        let (mut i, mut j) = (0_usize, 0_usize);
        let ends = |i: usize| i >= whole_rows + shift;
        while whole_rows > 0 && j < whole_columns {
            let first = i.saturating_sub(shift).min(whole_rows - height);
            let part = matrix.part::<E>(first, j.min(whole_columns - width), height, width);
            for b in (0..width).step_by(all) {
                for a in (0..height).step_by(tile_height) {
                    let tile_of = part.part::<E>(a, b, tile_height, all);
                    if square {
                        tile::<V, E, SQUARE, false, R, C>(tile_of, ahead);
                    } else {
                        tile::<V, E, WIDE, false, R, C>(tile_of, ahead);
                    }
                }
            }
            if let Traversal::Down(_) = order {
                i += height;
                (i, j) = if ends(i) { (0, j + width) } else { (i, j) };
            } else {
                j += width;
                (i, j) = if j >= whole_columns { (i + height, 0) } else { (i, j) };
                if ends(i) {
                    break;
                }
            }
        }
        if below > 0 {
            strip::<V, E, WIDE, R, C>(matrix.part::<E>(whole_rows, 0, below, whole_columns));
        }
        // Tall tiles, which store whole lines, are faster if the destination is in the first cache.
        if beside > 0 && (INTO_BUFFER || whole_columns == 0) {
            strip::<V, E, TALL, R, C>(matrix.part::<E>(0, whole_columns, rows, beside));
        } else if beside > 0 {
            edge::<E, R, C>(matrix.part::<E>(0, whole_columns, rows, beside));
        }
    }
}

/// A register; [`block`] is compiled once for its instruction set.
///
/// # Safety
/// As [`block`].
pub(super) trait Tiles: Register {
    unsafe fn block<const E: usize, const INTO_BUFFER: bool, R: Begins, C: Begins>(
        matrix: Matrix<R, C>,
        order: Traversal,
    );
}

macro_rules! tiles {
    ($(#[$here:meta] $(#[$attribute:meta])? $name:ident;)*) => { $(
        #[$here]
        impl Tiles for $name {
            unsafe fn block<const E: usize, const INTO_BUFFER: bool, R: Begins, C: Begins>(
                matrix: Matrix<R, C>,
                order: Traversal,
            ) {
                /// # Safety
                /// As [`block`].
                $(#[$attribute])?
                #[inline(never)]
                unsafe fn compiled<const E: usize, const INTO_BUFFER: bool, R: Begins, C: Begins>(
                    matrix: Matrix<R, C>,
                    order: Traversal,
                ) {
                    // SAFETY: the caller's promise.
                    unsafe { block::<$name, E, INTO_BUFFER, R, C>(matrix, order) }
                }
                // SAFETY: the caller's promise: the instructions are there.
                unsafe { compiled::<E, INTO_BUFFER, R, C>(matrix, order) }
            }
        }
    )* };
}
tiles! {
    #[cfg(all())] Bytes;
    #[cfg(target_arch = "aarch64")] Q;
    #[cfg(target_arch = "x86_64")] X;
    #[cfg(target_arch = "x86_64")] #[target_feature(enable = "avx2")] Y;
    #[cfg(target_arch = "x86_64")] #[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl")] W;
    #[cfg(target_arch = "x86_64")] #[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl")] Z;
}

/// Tiles of `SHAPE`, smaller tiles where these do not fit, and elements at the edges.
///
/// # Safety
/// As [`block`].
#[inline(always)]
unsafe fn strip<V: Register, const E: usize, const SHAPE: u8, R: Begins, C: Begins>(
    matrix: Matrix<R, C>,
) {
    let (n, all) = (const { lane(E) }, const { width::<V>(E) });
    let (height, width) = if SHAPE == TALL { (all, n) } else { (n, all) };
    let (rows, columns) = (matrix.rows / height * height, matrix.columns / width * width);
    // SAFETY: the caller's promise: each tile is a part of the matrix, and so is the rest.
    unsafe {
        // The longer side is the inner loop: there the addresses of the rows advance by sums.
        let tall = SHAPE == TALL;
        let (outer, inner) = if tall { (columns, rows) } else { (rows, columns) };
        let (across, along) = if tall { (width, height) } else { (height, width) };
        for a in (0..outer).step_by(across) {
            for b in (0..inner).step_by(along) {
                let (i, j) = if tall { (b, a) } else { (a, b) };
                tile::<V, E, SHAPE, false, R, C>(
                    matrix.part::<E>(i, j, height, width),
                    Ahead::NOTHING,
                );
            }
        }
        edge::<E, R, C>(matrix.part::<E>(rows, 0, matrix.rows - rows, columns));
        edge::<E, R, C>(matrix.part::<E>(0, columns, matrix.rows, matrix.columns - columns));
    }
}

/// Tiles of 16 bytes by 16 bytes, and elements at the edges.
///
/// # Safety
/// As [`block`].
#[inline(always)]
unsafe fn edge<const E: usize, R: Begins, C: Begins>(matrix: Matrix<R, C>) {
    if matrix.rows > 0 && matrix.columns > 0 {
        // SAFETY: the caller's promise.
        unsafe { narrow::<E, R, C>(matrix) }
    }
}

/// [`edge`], compiled once for all instruction sets.
///
/// # Safety
/// As [`block`].
#[inline(never)]
unsafe fn narrow<const E: usize, R: Begins, C: Begins>(matrix: Matrix<R, C>) {
    let (n, rows, columns) = (const { lane(E) }, matrix.rows, matrix.columns);
    let (height, width) = (n.min(rows), n.min(columns));
    let is_whole = height == n && width == n;
    // SAFETY: the caller's promise: each tile is a part, of a lane of rows and columns or of all;
    // the last ones overlap those before.
    unsafe {
        if !is_whole && (E > 2 || height * width < PART_OF_TILE * n) {
            return singly::<E, R, C>(matrix);
        }
        for i in (0..rows).step_by(n) {
            for j in (0..columns).step_by(n) {
                let part =
                    matrix.part::<E>(i.min(rows - height), j.min(columns - width), height, width);
                if is_whole {
                    tile::<Narrow, E, SQUARE, false, R, C>(part, Ahead::NOTHING);
                } else {
                    part_of_tile::<Narrow, E, R, C>(part);
                }
            }
        }
    }
}

/// A tile of 16 bytes by 16 bytes, or a part of the tile at the edge.
///
/// # Safety
/// As [`block`], of a matrix of at most a lane of rows and columns; `V` has 16 bytes.
#[inline(always)]
unsafe fn part_of_tile<V: Register, const E: usize, R: Begins, C: Begins>(matrix: Matrix<R, C>) {
    let n = const { lane(E) };
    // SAFETY: the caller's promise: the matrix has these rows and columns, at most a lane of
    // either.
    unsafe {
        let mut r = [register_of::<V>([0; 2]); 16];
        for (k, register) in r.iter_mut().enumerate().take(n) {
            if k < matrix.rows {
                *register = register_of(load_some(matrix.source(k), matrix.columns * E));
            }
        }
        transposed::<V, E>(&mut r, n, true);
        for (k, register) in r.iter().enumerate().take(n) {
            if k < matrix.columns {
                store_some(std::mem::transmute_copy(register), matrix.target(k), matrix.rows * E);
            }
        }
    }
}

/// # Safety
/// `V` has 16 bytes.
#[inline(always)]
unsafe fn register_of<V: Register>(halves: [u64; 2]) -> V {
    const { assert!(V::BYTES == 16 && size_of::<V>() == 16) };
    // SAFETY: the two have the same number of bytes, and any bytes are a register.
    unsafe { std::mem::transmute_copy(&halves) }
}

/// The first bytes of a lane.
///
/// # Safety
/// `bytes` is 1 to 16, and `bytes` bytes may be read at `from`.
#[inline(always)]
unsafe fn load_some(from: *const u8, bytes: usize) -> [u64; 2] {
    // SAFETY: the caller's promise: the first and the last bytes, which may overlap.
    unsafe {
        if bytes > 8 {
            let last = from.add(bytes - 8).cast::<u64>().read_unaligned();
            [from.cast::<u64>().read_unaligned(), last >> (8 * (16 - bytes))]
        } else if bytes == 8 {
            [from.cast::<u64>().read_unaligned(), 0]
        } else if bytes >= 4 {
            let last = u64::from(from.add(bytes - 4).cast::<u32>().read_unaligned());
            [u64::from(from.cast::<u32>().read_unaligned()) | last << (8 * (bytes - 4)), 0]
        } else {
            let at =
                |k: usize| u64::from(from.add(k.min(bytes - 1)).read()) << (8 * k.min(bytes - 1));
            [at(0) | at(1) | at(2), 0]
        }
    }
}

/// Stores the first bytes of a lane.
///
/// # Safety
/// `bytes` is 1 to 16, and `bytes` bytes may be written at `to`.
#[inline(always)]
unsafe fn store_some([low, high]: [u64; 2], to: *mut u8, bytes: usize) {
    // SAFETY: the caller's promise: the first and the last bytes, which may overlap.
    unsafe {
        if bytes > 8 {
            let last = if bytes == 16 {
                high
            } else {
                low >> (8 * (bytes - 8)) | high << (8 * (16 - bytes))
            };
            to.cast::<u64>().write_unaligned(low);
            to.add(bytes - 8).cast::<u64>().write_unaligned(last);
        } else if bytes == 8 {
            to.cast::<u64>().write_unaligned(low);
        } else if bytes >= 4 {
            to.cast::<u32>().write_unaligned(low as u32);
            to.add(bytes - 4).cast::<u32>().write_unaligned((low >> (8 * (bytes - 4))) as u32);
        } else {
            for k in 0..bytes {
                to.add(k).write((low >> (8 * k)) as u8);
            }
        }
    }
}

/// # Safety
/// As [`block`].
#[inline(always)]
unsafe fn singly<const E: usize, R: Begins, C: Begins>(matrix: Matrix<R, C>) {
    for j in 0..matrix.columns {
        for i in 0..matrix.rows {
            // SAFETY: the caller's promise: `(i, j)` is an element of both.
            unsafe {
                let (from, to) = (matrix.source(i).add(j * E), matrix.target(j).add(i * E));
                to.cast::<[u8; E]>().write(from.cast::<[u8; E]>().read());
            }
        }
    }
}

/// Register `k` of a tile: row `k`, or for a tall tile one lane of every `N`-th row from `k` on.
///
/// # Safety
/// As [`tile`]; the tile has such a register.
#[inline(always)]
unsafe fn load<V: Register, const E: usize, const SHAPE: u8, R: Begins, C: Begins>(
    matrix: Matrix<R, C>,
    k: usize,
) -> V {
    // SAFETY: the caller's promise: `LANES * N` rows of a lane, or rows of a register.
    unsafe {
        if SHAPE == TALL {
            let n = const { lane(E) };
            let (b, c, d) = (1 % V::LANES * n, 2 % V::LANES * n, 3 % V::LANES * n);
            V::load_lanes([
                matrix.source(k),
                matrix.source(b + k),
                matrix.source(c + k),
                matrix.source(d + k),
            ])
        } else {
            V::load(matrix.source(k))
        }
    }
}

/// Transposes one tile in registers, and prefetches `ahead`.
///
/// # Safety
/// As [`block`], of a matrix of the shape. Where `STREAM` holds, the rows of the destination are
/// whole registers at multiples of their size, and the tile is not wide.
#[inline(always)]
pub(super) unsafe fn tile<
    V: Register,
    const E: usize,
    const SHAPE: u8,
    const STREAM: bool,
    R: Begins,
    C: Begins,
>(
    matrix: Matrix<R, C>,
    ahead: Ahead,
) {
    let (n, all) = (const { lane(E) }, const { width::<V>(E) });
    let registers = if SHAPE == SQUARE { all } else { n };
    // SAFETY: the caller's promise: each load is in the source, and each row of the destination a
    // register, or a lane.
    unsafe {
        // A register without a load is a copy of the first register, and is not used.
        let mut r = [load::<V, E, SHAPE, R, C>(matrix, 0); 16];
        for (k, register) in r.iter_mut().enumerate().take(registers) {
            *register = load::<V, E, SHAPE, R, C>(matrix, k);
            if SHAPE == SQUARE && (ahead.rows > 0 || ahead.bytes != 0) {
                prefetch(matrix.source(k + ahead.rows).wrapping_offset(ahead.bytes));
            }
        }
        transposed::<V, E>(&mut r, registers, SHAPE == SQUARE);
        if SHAPE == WIDE {
            for l in 0..V::LANES {
                for (c, &column) in r.iter().enumerate().take(n) {
                    column.store_lane(l, matrix.target(l * n + c));
                }
            }
        } else {
            for (j, &column) in r.iter().enumerate().take(registers) {
                let to = matrix.target(j);
                if STREAM { column.stream(to) } else { column.store(to) }
            }
        }
    }
}

/// Transposes each lane of the registers, and, with `square`, the whole square.
///
/// # Safety
/// The instructions of `V` are there.
#[inline(always)]
pub(super) unsafe fn transposed<V: Register, const E: usize>(
    r: &mut [V; 16],
    registers: usize,
    square: bool,
) {
    let n = const { lane(E) };
    let mut rest = n;
    while rest > 1 {
        let before = *r;
        for g in (0..registers).step_by(n) {
            for k in 0..n / 2 {
                let (a, b) = (before[g + k], before[g + k + n / 2]);
                // SAFETY: the caller's promise.
                (r[g + 2 * k], r[g + 2 * k + 1]) = unsafe { (a.low::<E>(b), a.high::<E>(b)) };
            }
        }
        rest /= 2;
    }
    if square {
        for c in 0..n {
            // SAFETY: the caller's promise.
            unsafe { V::exchange(r, c, n) };
        }
    }
}
