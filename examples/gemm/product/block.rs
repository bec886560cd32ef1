//! The register block: a piece of C that stays in registers while all of k passes by. One body for every instruction
//! set, every size and every tail; what differs is in the layouts.
//!
//! ```text
//! rows    (LEN,MV):(1,LEN)      which row element r of register i is
//! C       (m,n):(1,dc)          composed with <rows,NR>: MV registers of LEN rows, for each of NR columns: the sums
//! A       (m,k):(1,da)          composed with <rows,k>: in each step of k, MV registers
//! B       (n,k):(dn,dk)         in each step of k, one element for each column
//! ```

#![allow(clippy::needless_range_loop, reason = "a layout takes a coordinate, not what lies there")]

use std::marker::PhantomData;

use super::tiles::{Matrix, UnitRows, transposed, unit_rows};
use super::vector::{Task, Vector};
use layout_algebra::prelude::*;
use layout_algebra::tensor::Addressable;

/// A flat layout of rank 2 with plain strides: no offset is larger than that of the last coordinate.
pub trait Strided: Addressable<Coordinate = (usize, usize)> {}
impl<S, D> Strided for StridedLayout<S, D> where Self: Addressable<Coordinate = (usize, usize)> {}

/// The elements of C: `&mut` of each that the layout leads to, and of none in between,
/// which may belong to another core.
pub struct Output<'x, E, L> {
    start: *mut E,
    layout: L,
    elements: PhantomData<&'x mut E>,
}
// SAFETY: it is as good as `&mut E` for each of its elements.
unsafe impl<E: Send, L: Send> Send for Output<'_, E, L> {}

impl<'x, E, L: Strided> Output<'x, E, L> {
    /// All that a layout leads to.
    #[inline(always)]
    pub fn new(memory: &'x mut [E], layout: L) -> Self {
        assert!(layout.reach().is_some_and(|reach| reach <= memory.len()), "each layout fits its memory");
        Output { start: memory.as_mut_ptr(), layout, elements: PhantomData }
    }
    /// Where the elements lie.
    #[inline(always)]
    pub fn layout(&self) -> L {
        self.layout.clone()
    }
    /// The place of an element.
    #[inline(always)]
    pub fn place(&self, coordinate: (usize, usize)) -> *const E {
        self.start.wrapping_add(self.layout.locate(coordinate))
    }
    /// The same for a shorter time.
    #[inline(always)]
    pub fn reborrow(&mut self) -> Output<'_, E, L> {
        Output { start: self.start, layout: self.layout.clone(), elements: PhantomData }
    }
}

impl<'x, E> Output<'x, E, Matrix> {
    /// The same elements, rows and columns swapped.
    pub fn transposed(self) -> Self {
        Output { layout: transposed(self.layout), ..self }
    }
    /// The same, with the 1 of the rows in the type.
    #[inline(always)]
    pub fn unit_rows(self) -> Output<'x, E, UnitRows> {
        Output { start: self.start, layout: unit_rows(self.layout), elements: PhantomData }
    }
    /// `rows` rows and `columns` columns, from `(row, column)` on: `L o <rows, columns>`, moved by `L(row, column)`.
    #[inline(always)]
    pub fn part(self, (row, column): (usize, usize), (rows, columns): (usize, usize)) -> Self {
        let ((m, n), (step_m, step_n)) = (self.layout.shape(), self.layout.stride());
        // Then every coordinate of the part, moved, is one of the whole, and so is its offset.
        assert!(row <= m && column <= n && rows <= m - row && columns <= n - column, "a part lies within the whole");
        let layout = layout!((rows, columns):(step_m, step_n));
        Output { start: self.start.wrapping_add(self.layout.locate((row, column))), layout, elements: PhantomData }
    }
    /// The first `rows` rows, and the others.
    pub fn split(self, rows: usize) -> (Self, Self) {
        let ((m, n), (step_m, step_n)) = (self.layout.shape(), self.layout.stride());
        // The layout is injective, so that parts of different rows share no element.
        assert!((step_m == 1 && step_n >= m) || (step_n == 1 && step_m >= n), "no two coordinates share an element");
        let whole = || Output { start: self.start, layout: self.layout, elements: PhantomData };
        (whole().part((0, 0), (rows, n)), whole().part((rows, 0), (m - rows, n)))
    }
}

/// A register block of `MV` registers by `NR` columns, from row `row` and column `column` of three matrices on. If it
/// is `RAGGED`, the last register hangs over the edge.
pub struct Block<'x, V: Vector, const MV: usize, const NR: usize, const RAGGED: bool, A, B, C> {
    pub isa: V::Isa,
    /// `(m,k)`, `(n,k)` and `(m,n)`. Static ones make all that follows constants, and the loop over k straight.
    pub a: (&'x [V::Element], A),
    pub b: (&'x [V::Element], B),
    pub c: Output<'x, V::Element, C>,
    pub k: usize,
    pub row: usize,
    pub column: usize,
    /// How many rows of the last register exist: in A, which may be padded, and in C.
    pub last_a: usize,
    pub last_c: usize,
    pub accumulate: bool,
}

impl<V: Vector, const MV: usize, const NR: usize, const RAGGED: bool, A, B, C> Task
    for Block<'_, V, MV, NR, RAGGED, A, B, C>
where
    A: Strided,
    B: Strided,
    C: Strided,
{
    #[inline(always)]
    fn run(self) {
        let Self {
            isa,
            a: (a, la),
            b: (b, lb),
            c: Output { start, layout: lc, .. },
            k,
            row,
            column,
            last_a,
            last_c,
            accumulate,
        } = self;
        // (LEN,MV):(1,LEN), from which row on: the first row of register i is rows(0, i).
        let (len, registers) = (V::LEN, MV);
        let rows = layout!((len, registers));
        let first = |i| row + rows.index((0, i));
        // C o <rows, NR> and A o <rows, k>, one register of each.
        let at_c = |i, j| lc.locate((first(i), column + j));
        let at_a = |i, p| la.locate((first(i), p));
        let rows_a = |i| if RAGGED && i + 1 == MV { last_a } else { V::LEN };
        let rows_c = |i| if RAGGED && i + 1 == MV { last_c } else { V::LEN };

        // Rows are neighbours in A and C, if there are two, and the last row of the last step or column is within
        // its memory: so are all others, for strides are not negative. No offset overflows, for these are
        // matrices that `fits` has looked at.
        assert!(k > 0 && last_a > 0 && last_c > 0 && last_a <= V::LEN && last_c <= V::LEN);
        assert!((MV == 1 && last_a == 1) || la.locate((1, 0)) == la.locate((0, 0)) + 1);
        assert!((MV == 1 && last_c == 1) || lc.locate((1, 0)) == lc.locate((0, 0)) + 1);
        assert!(at_a(MV - 1, k - 1) + rows_a(MV - 1) <= a.len());
        let (m, n) = lc.extents();
        assert!(first(MV - 1) + rows_c(MV - 1) <= m && column + NR <= n);
        assert!(lb.locate((column + NR - 1, k - 1)) < b.len());

        let mut sums = [[V::splat(isa, V::Element::default()); MV]; NR];
        // One step of k; a closure that is not inlined would keep the sums in memory.
        let mut step = {
            #[inline(always)]
            |p| {
                let mut registers = [sums[0][0]; MV];
                for i in 0..MV {
                    let at = at_a(i, p);
                    // SAFETY: `at + rows_a(i)` is at most that of the last register and the last step,
                    // which is within A, see above.
                    let from = unsafe { a.get_unchecked(at..at + rows_a(i)) };
                    registers[i] = if RAGGED && i + 1 == MV { V::load_first(isa, from) } else { V::load(isa, from) };
                }
                for j in 0..NR {
                    // SAFETY: j < NR and p < k, so that this is within B, see above.
                    let x = V::splat(isa, unsafe { *b.get_unchecked(lb.locate((column + j, p))) });
                    for i in 0..MV {
                        sums[j][i] = registers[i].mul_add(x, sums[j][i]);
                    }
                }
            }
        };
        // (2,k/2): two steps without a branch, and then what is left of k. Four are as fast at 256, and a tenth
        // slower where B comes from memory: the processor foresees the next load of an instruction, for as many
        // instructions as it remembers.
        let steps = layout!((2, { k / 2 }));
        for group in 0..steps.shape().1 {
            for p in 0..2 {
                step(steps.index((p, group)));
            }
        }
        for p in steps.size()..k {
            step(p);
        }
        for j in 0..NR {
            for i in 0..MV {
                let at = at_c(i, j);
                // SAFETY: these are rows `first(i) ..` of column `column + j`, neighbours and elements of C, see above.
                let to = unsafe { std::slice::from_raw_parts_mut(start.add(at), rows_c(i)) };
                if RAGGED && i + 1 == MV {
                    let sum = if accumulate { V::load_first(isa, to).add(sums[j][i]) } else { sums[j][i] };
                    sum.store_first(to);
                } else {
                    let sum = if accumulate { V::load(isa, to).add(sums[j][i]) } else { sums[j][i] };
                    sum.store(to);
                }
            }
        }
    }
}
