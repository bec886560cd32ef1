//! The register block: a piece of C that stays in registers while all of k passes by. One body for every instruction set, every
//! size and every tail; what differs is in the layouts.
//!
//! ```text
//! rows    (LEN,MV):(1,LEN)      which row element r of register i is
//! C       (m,n):(1,dc)          composed with <rows,NR>: MV registers of LEN rows, for each of NR columns: the sums
//! A       (m,k):(1,da)          composed with <rows,k>: in each step of k, MV registers
//! B       (n,k):(dn,dk)         in each step of k, one element for each column
//! ```

#![allow(clippy::needless_range_loop, reason = "a layout takes a coordinate, not what lies there")]

use super::vector::{Task, Vector};
use layout_algebra::prelude::*;

/// A flat layout of rank 2 with plain strides: no offset is larger than that of the last coordinate.
pub trait Strided: Layout<Coordinate = (usize, usize), Offset = usize> {}
impl<S, D> Strided for StridedLayout<S, D> where Self: Layout<Coordinate = (usize, usize), Offset = usize> {}

/// A register block of `MV` registers by `NR` columns, from row `row` and column `column` of three matrices on. If it is `RAGGED`, the
/// last register hangs over the edge.
pub struct Block<'x, V: Vector, const MV: usize, const NR: usize, const RAGGED: bool, A, B, C> {
    pub isa: V::Isa,
    /// `(m,k)`, `(n,k)` and `(m,n)`. Static ones make all that follows constants, and the loop over k straight.
    pub a: (&'x [V::Element], A),
    pub b: (&'x [V::Element], B),
    pub c: (&'x mut [V::Element], C),
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
        let Self { isa, a: (a, la), b: (b, lb), c: (c, lc), k, row, column, last_a, last_c, accumulate } = self;
        // (LEN,MV):(1,LEN), from which row on: the first row of register i is rows(0, i).
        let (len, registers) = (V::LEN, MV);
        let rows = layout!((len, registers));
        let first = |i| row + rows.index((0, i));
        // C o <rows, NR> and A o <rows, k>, one register of each.
        let at_c = |i, j| lc.locate((first(i), column + j));
        let at_a = |i, p| la.locate((first(i), p));
        let rows_a = |i| if RAGGED && i + 1 == MV { last_a } else { V::LEN };
        let rows_c = |i| if RAGGED && i + 1 == MV { last_c } else { V::LEN };

        // Rows are neighbours in A and C, if there are two, and the last row of the last step or column is within its memory: so are all others, for
        // strides are not negative. No offset overflows, for these are matrices that `fits` has looked at.
        assert!(k > 0 && last_a > 0 && last_c > 0 && last_a <= V::LEN && last_c <= V::LEN);
        assert!((MV == 1 && last_a == 1) || la.locate((1, 0)) == la.locate((0, 0)) + 1);
        assert!((MV == 1 && last_c == 1) || lc.locate((1, 0)) == lc.locate((0, 0)) + 1);
        assert!(at_a(MV - 1, k - 1) + rows_a(MV - 1) <= a.len());
        assert!(at_c(MV - 1, NR - 1) + rows_c(MV - 1) <= c.len());
        assert!(lb.locate((column + NR - 1, k - 1)) < b.len());

        let mut sums = [[V::splat(isa, V::Element::default()); MV]; NR];
        // One step of k; a closure that is not inlined would keep the sums in memory.
        let mut step = {
            #[inline(always)]
            |p| {
                let mut registers = [sums[0][0]; MV];
                for i in 0..MV {
                    let at = at_a(i, p);
                    // SAFETY: `at + rows_a(i)` is at most that of the last register and the last step, which is within A, see above.
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
        // (4,k/4): four steps without a branch, and then what is left of k. That is 6 % at 256.
        let steps = layout!((4, { k / 4 }));
        for group in 0..steps.shape().1 {
            for p in 0..4 {
                step(steps.index((p, group)));
            }
        }
        for p in steps.size()..k {
            step(p);
        }
        for j in 0..NR {
            for i in 0..MV {
                let at = at_c(i, j);
                // SAFETY: `at + rows_c(i)` is at most that of the last register and the last column, which is within C, see above.
                let to = unsafe { c.get_unchecked_mut(at..at + rows_c(i)) };
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
