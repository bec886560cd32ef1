//! The register block: a piece of C that stays in registers while all of k passes by. One body for
//! every instruction set, every size and every tail; what differs is in the layouts.
//!
//! ```text
//! rows    (LEN,MV):(1,LEN)      which row element r of register i is
//! C       (m,NR):(1,dc)         composed with <rows,_>: MV registers of LEN rows, for each of NR columns: the sums
//! A       (m,k):(1,da)          composed with <rows,_>: in each step of k, MV registers
//! B       (NR,k):(dn,dk)        in each step of k, one element for each column
//! ```

#![allow(clippy::needless_range_loop, reason = "a layout takes a coordinate, not what lies there")]

use super::tiles::{Matrix, UnitRows};
use layout_algebra::prelude::*;
use layout_algebra::tensor::TileMut;
use layout_registers::{Task, Vector};

/// C, or a part of it, whose rows are neighbours.
pub type Output<'x, E> = Tensor<TileMut<'x, E>, UnitRows>;

/// A register block of `MV` registers by `NR` columns. If it is `RAGGED`, the last register hangs
/// over the edge; if `UNIT_B`, the steps of k are neighbours in B.
pub struct Block<
    'x,
    V: Vector,
    const MV: usize,
    const NR: usize,
    const RAGGED: bool,
    const UNIT_B: bool,
> {
    pub isa: V::Isa,
    /// `(m,k)`, `(NR,k)` and `(m,NR)`. What the compiler knows of their layouts makes constants of
    /// all that follows, and the loop over k straight.
    pub a: Tensor<&'x [V::Element], UnitRows>,
    pub b: Tensor<&'x [V::Element], Matrix>,
    pub c: Output<'x, V::Element>,
    pub accumulate: bool,
}

impl<V: Vector, const MV: usize, const NR: usize, const RAGGED: bool, const UNIT_B: bool> Task
    for Block<'_, V, MV, NR, RAGGED, UNIT_B>
{
    #[inline(always)]
    fn run(self) {
        let Self { isa, a, b, mut c, accumulate } = self;
        let ((rows_a, k), (rows_c, _)) = (a.shape(), c.shape());
        // (LEN,MV):(1,LEN): the first row of register i is first(i), and all but the last are
        // whole.
        let (len, registers) = (V::LEN, MV);
        let rows = layout!((len, registers));
        let first = |i| rows.index((0, i));
        assert!(b.shape() == (NR, k) && c.shape().1 == NR);
        assert!(!UNIT_B || b.layout().stride().1 == 1);
        if RAGGED {
            assert!(
                rows_a > first(MV - 1)
                    && rows_a <= rows.size()
                    && rows_c > first(MV - 1)
                    && rows_c <= rows.size()
            );
        } else {
            assert!(rows_a == rows.size() && rows_c == rows.size());
        }

        let mut sums = [[V::splat(isa, V::Element::default()); MV]; NR];
        // One step of k; a closure that is not inlined would keep the sums in memory.
        let mut step = {
            #[inline(always)]
            |p| {
                let column = a.slice((.., p));
                let column = column.as_slice().expect("rows are neighbours");
                let mut registers = [sums[0][0]; MV];
                for i in 0..MV {
                    let from = &column[first(i)..];
                    registers[i] = if RAGGED && i + 1 == MV {
                        V::load_first(isa, from)
                    } else {
                        V::load(isa, &from[..V::LEN])
                    };
                }
                for j in 0..NR {
                    let x = V::splat(isa, b[(j, p)]);
                    for i in 0..MV {
                        sums[j][i] = registers[i].mul_add(x, sums[j][i]);
                    }
                }
            }
        };
        // Two steps without a branch, and then what is left of k: `p | 1 < k` says of both that
        // they are below k, so that no check is left. Four are as fast at 256, and a tenth slower
        // where B comes from memory: the processor foresees the next load of an instruction, for as
        // many instructions as it remembers.
        let mut p = 0;
        while p | 1 < k {
            step(p);
            step(p | 1);
            p += 2;
        }
        if k % 2 == 1 {
            step(k - 1);
        }
        for j in 0..NR {
            let mut column = c.slice_mut((.., j));
            let column = column.as_mut_slice().expect("rows are neighbours");
            for i in 0..MV {
                let to = &mut column[first(i)..];
                if RAGGED && i + 1 == MV {
                    let sum = if accumulate {
                        V::load_first(isa, to).add(sums[j][i])
                    } else {
                        sums[j][i]
                    };
                    sum.store_first(to);
                } else {
                    let to = &mut to[..V::LEN];
                    let sum =
                        if accumulate { V::load(isa, to).add(sums[j][i]) } else { sums[j][i] };
                    sum.store(to);
                }
            }
        }
    }
}
