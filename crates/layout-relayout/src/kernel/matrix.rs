//! A matrix in two memories: the offsets of its rows in either.

use super::nest::LINE;

/// The offsets of a matrix's rows.
pub(super) trait Begins: Copy {
    /// The distance of row `k` from the first row.
    ///
    /// # Safety
    /// Row `k` exists.
    unsafe fn at(self, k: usize) -> isize;
    /// The rows from `k` on, and the distance that the base moves. There are at least `k` rows.
    fn from(self, k: usize) -> (Self, isize);
    /// The step from each row to the next, if all steps are equal.
    fn step(self) -> Option<isize>;
    /// The union of the bits of all distances: if the union is a multiple of a power of two, all
    /// distances are.
    fn bits(self) -> isize;
}

/// Rows that are this many bytes apart.
#[derive(Clone, Copy)]
pub(super) struct Even(pub(super) isize);

impl Begins for Even {
    #[inline(always)]
    unsafe fn at(self, k: usize) -> isize {
        k as isize * self.0
    }
    #[inline(always)]
    fn from(self, k: usize) -> (Self, isize) {
        (self, k as isize * self.0)
    }
    #[inline(always)]
    fn step(self) -> Option<isize> {
        Some(self.0)
    }
    #[inline(always)]
    fn bits(self) -> isize {
        self.0
    }
}

/// A list of distances, and the union of their bits.
#[derive(Clone, Copy)]
pub(super) struct Listed(*const isize, isize);

impl Listed {
    pub(super) fn new(list: &[isize]) -> Self {
        Listed(list.as_ptr(), list.iter().fold(0, |bits, at| bits | at))
    }
}

impl Begins for Listed {
    #[inline(always)]
    unsafe fn at(self, k: usize) -> isize {
        // SAFETY: the caller's promise: the list has an entry for each row.
        unsafe { self.0.add(k).read() }
    }
    #[inline(always)]
    fn from(self, k: usize) -> (Self, isize) {
        (Listed(self.0.wrapping_add(k), self.1), 0)
    }
    #[inline(always)]
    fn step(self) -> Option<isize> {
        None
    }
    #[inline(always)]
    fn bits(self) -> isize {
        self.1
    }
}

/// One matrix of elements of `E` bytes, `to[j][i] = from[i][j]`, with the offsets of both sides'
/// rows.
#[derive(Clone, Copy)]
pub(super) struct Matrix<R, C> {
    pub(super) from: *const u8,
    pub(super) from_rows: R,
    pub(super) to: *mut u8,
    pub(super) to_rows: C,
    pub(super) rows: usize,
    pub(super) columns: usize,
}

impl<R: Begins, C: Begins> Matrix<R, C> {
    /// The part with the given numbers of rows and columns that begins at `(i, j)`.
    #[inline(always)]
    pub(super) fn part<const E: usize>(
        self,
        i: usize,
        j: usize,
        rows: usize,
        columns: usize,
    ) -> Self {
        // The pointers of an empty part are not used: they may be out of bounds.
        let ((from_rows, down), (to_rows, right)) = (self.from_rows.from(i), self.to_rows.from(j));
        let from = self.from.wrapping_offset(down + (j * E) as isize);
        let to = self.to.wrapping_offset(right + (i * E) as isize);
        Matrix { from, from_rows, to, to_rows, rows, columns }
    }

    /// The same source, with its columns written to rows of `to` that are `pitch` bytes apart.
    #[inline(always)]
    pub(super) fn into_buffer(self, to: *mut u8, pitch: usize) -> Matrix<R, Even> {
        let Matrix { from, from_rows, rows, columns, .. } = self;
        Matrix { from, from_rows, to, to_rows: Even(pitch as isize), rows, columns }
    }

    /// Row `i` of the source.
    ///
    /// # Safety
    /// Row `i` exists.
    #[inline(always)]
    pub(super) unsafe fn source(self, i: usize) -> *const u8 {
        // SAFETY: the caller's promise: its first element may be read.
        unsafe { self.from.offset(self.from_rows.at(i)) }
    }

    /// Row `j` of the destination.
    ///
    /// # Safety
    /// Column `j` exists.
    #[inline(always)]
    pub(super) unsafe fn target(self, j: usize) -> *mut u8 {
        // SAFETY: the caller's promise: its first element may be written.
        unsafe { self.to.offset(self.to_rows.at(j)) }
    }
}

/// Whether the rows of the destination are whole lines apart.
pub(super) fn lies_by_lines<C: Begins>(rows: C) -> bool {
    rows.bits() % LINE as isize == 0
}
