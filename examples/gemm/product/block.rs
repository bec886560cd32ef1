//! The register block: a piece of C that stays in registers while all of k passes by. One body for every instruction set, every
//! size and every tail; what differs is in the layouts.
//!
//! ```text
//! C   ((LEN,MV),n):((1,LEN),dc)     MV registers of LEN rows, for each of n columns: the sums
//! A   ((LEN,MV),k):((1,LEN),da)     in each step of k, MV registers
//! B   (n,k):(dn,dk)                 in each step of k, one element for each column
//! ```

#![allow(clippy::needless_range_loop, reason = "a layout takes a coordinate, not what lies there")]

use super::pack::Pack;
use super::tiles::{Matrix, Tiles, dynamic, unit_rows};
use super::vector::{self, Element, Isa, Task, Vector};
use layout_algebra::prelude::*;

/// Elements from some offset of a matrix on, and what exists of them.
pub type View<'x, E> = (&'x [E], Matrix);

/// One tile of the product: `C(m,n) = A(m,k) * B(n,k)`, or `+=` if it is to accumulate.
pub struct Tile<'x, E> {
    pub a: View<'x, E>,
    pub b: View<'x, E>,
    pub c: (&'x mut [E], Matrix),
    pub accumulate: bool,
}

/// A tile for a register block of `MV` registers by `NR` columns. If it is `RAGGED`, the last register hangs over the edge.
struct Block<'x, V: Vector, const MV: usize, const NR: usize, const RAGGED: bool, L> {
    isa: V::Isa,
    tile: Tile<'x, V::Element>,
    /// `((LEN,MV),k)`
    la: L,
    /// `((LEN,MV),n)`
    lc: L,
}

/// A is asked into the cache this many steps of k before it is read.
const AHEAD: usize = 8;

impl<V: Vector, const MV: usize, const NR: usize, const RAGGED: bool, L> Task for Block<'_, V, MV, NR, RAGGED, L>
where
    L: Layout<Offset = usize, Coordinate = ((usize, usize), usize)>,
{
    #[inline(always)]
    fn run(self) {
        let Self { isa, tile, la, lc } = self;
        let Tile { a: (a, matrix_a), b: (b, lb), c: (c, matrix_c), accumulate } = tile;
        let k = matrix_a.shape().1;

        // How many rows of register i exist: in A, which may be padded, and in C.
        let first = crd2idx((0, MV - 1), (V::LEN, MV));
        let last_a = if RAGGED { matrix_a.shape().0.min(first + V::LEN) - first } else { V::LEN };
        let last_c = if RAGGED { matrix_c.shape().0.min(first + V::LEN) - first } else { V::LEN };
        let rows_a = |i| if i + 1 == MV { last_a } else { V::LEN };
        let rows_c = |i| if i + 1 == MV { last_c } else { V::LEN };

        // (LEN,MV):(1,LEN), so that element (r, i) is row r + LEN * i, and the last of all that are touched is the last row of the last
        // step or column. It lies within its memory, `cosize <= len` of what exists, and hence so do the others. No offset overflows,
        // for these are parts of matrices that `fits` has looked at.
        let rows = |l: &L| l.locate(((1, 0), 0)) == 1 && (MV == 1 || l.locate(((0, 1), 0)) == V::LEN);
        assert!(k > 0 && last_a > 0 && last_c > 0 && rows(&la) && rows(&lc));
        assert!(la.locate(((last_a - 1, MV - 1), k - 1)) < a.len());
        assert!(lc.locate(((last_c - 1, MV - 1), NR - 1)) < c.len());
        assert!(lb.index((NR - 1, k - 1)) < b.len());

        let mut sums = [[V::splat(isa, V::Element::default()); MV]; NR];
        for j in 0..NR {
            for i in 0..MV {
                V::prefetch(isa, c.as_ptr().wrapping_add(lc.locate(((0, i), j))));
            }
        }
        for p in 0..k {
            let mut column = [sums[0][0]; MV];
            for i in 0..MV {
                let at = la.locate(((0, i), p));
                // SAFETY: LEN is A's unit mode, so this ends at ((rows_a(i) - 1, i), p), and that is within A, see above.
                let from = unsafe { a.get_unchecked(at..at + rows_a(i)) };
                column[i] = if RAGGED && i + 1 == MV { V::load_first(isa, from) } else { V::load(isa, from) };
                V::prefetch(isa, a.as_ptr().wrapping_add(la.locate(((0, i), p + AHEAD))));
            }
            for j in 0..NR {
                // SAFETY: j < NR and p < k, so that this is within B, see above.
                let x = V::splat(isa, unsafe { *b.get_unchecked(lb.index((j, p))) });
                for i in 0..MV {
                    sums[j][i] = column[i].mul_add(x, sums[j][i]);
                }
            }
        }
        for j in 0..NR {
            for i in 0..MV {
                let at = lc.locate(((0, i), j));
                // SAFETY: LEN is C's unit mode, so this ends at ((rows_c(i) - 1, i), j), and that is within C, see above.
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

/// A register block of `MR` rows by `NR` columns for one kind of register, and its packed panels.
pub trait Kernel {
    type Vector: Vector<Isa = Self::Isa, Element = Self::Element>;
    type Isa: Isa;
    type Element: Element;
    const MR: usize;
    const NR: usize;
    /// Only multiples of this many rows can be read from an A that is not packed.
    const WHOLE_ROWS: usize = if Self::Vector::MASKED { 1 } else { Self::Vector::LEN };
    /// Computes a tile of at most `MR` rows and `NR` columns.
    fn multiply(isa: Self::Isa, tile: Tile<'_, Self::Element>);
    /// Packs panels of `MR` rows.
    fn pack_a(isa: Self::Isa, from: &[Self::Element], source: Tiles, to: &mut [Self::Element]) -> Tiles;
    /// Packs panels of `NR` columns, which are rows here.
    fn pack_b(isa: Self::Isa, from: &[Self::Element], source: Tiles, to: &mut [Self::Element]) -> Tiles;
    /// Packed panels of A and of B, and the register block in C, as text.
    fn describe(rows: usize, columns: usize, k: usize, step: usize) -> [String; 3];
}

/// Everything of a kernel that needs its numbers as literals: static layouts, and one instance of the body for each tail.
macro_rules! kernel {
    (
        $(#[$doc:meta])* $name:ident: $vector:ty,
        ($len:literal, $mv:literal) = $mr:literal rows in registers $($registers:literal)*;
        $nr:literal columns of $columns:tt
    ) => {
        $(#[$doc])*
        pub struct $name;
        impl Kernel for $name {
            type Vector = $vector;
            type Isa = <$vector as Vector>::Isa;
            type Element = <$vector as Vector>::Element;
            const MR: usize = <Layout!(($len, $mv))>::SIZE;
            const NR: usize = $nr;

            fn multiply(isa: Self::Isa, tile: Tile<'_, Self::Element>) {
                const { assert!(Self::MR == $mr && <$vector>::LEN == $len) };
                let (a, c) = (unit_rows(tile.a.1), unit_rows(tile.c.1));
                let ((m, n), k) = (c.shape(), a.shape().1);
                if (m, n) == ($mr, $nr) {
                    let (la, lc) = (a.compose(tiler!(($len, $mv), k)), c.compose(tiler!(($len, $mv), n)));
                    return isa.run(Block::<$vector, $mv, $nr, false, _> { isa, tile, la, lc });
                }
                match m.div_ceil($len) {
                    $($registers => {
                        let tile_a = tiler!(($len, $registers), k);
                        let tile_c = tiler!(($len, $registers), n);
                        let (la, lc) = (a.compose(tile_a), c.compose(tile_c));
                        kernel!(@ n $columns, COLUMNS => isa.run(Block::<$vector, $registers, COLUMNS, true, _> { isa, tile, la, lc }))
                    })*
                    _ => unreachable!("a tile has at most {} rows", Self::MR),
                }
            }
            fn pack_a(isa: Self::Isa, from: &[Self::Element], source: Tiles, to: &mut [Self::Element]) -> Tiles {
                let ((_, k), (panels, _)) = source.layout.shape();
                let packed = layout!((($mr, k), (panels, 1)));
                isa.run(Pack::<_, $mr, _> { from, source, to, packed });
                Tiles::whole(dynamic(packed))
            }
            fn pack_b(isa: Self::Isa, from: &[Self::Element], source: Tiles, to: &mut [Self::Element]) -> Tiles {
                let ((_, k), (panels, _)) = source.layout.shape();
                let packed = layout!((($nr, k), (panels, 1)));
                isa.run(Pack::<_, $nr, _> { from, source, to, packed });
                Tiles::whole(dynamic(packed))
            }
            fn describe(rows: usize, columns: usize, k: usize, step: usize) -> [String; 3] {
                let packed_a = layout!((($mr, k), ({ rows.div_ceil($mr) }, 1)));
                let packed_b = layout!((($nr, k), ({ columns.div_ceil($nr) }, 1)));
                let c = layout!(($mr, $nr):(1, step)).compose(tiler!(($len, $mv), $nr));
                [packed_a.to_string(), packed_b.to_string(), c.to_string()]
            }
        }
    };
    (@ $n:ident ($($column:literal)*), $name:ident => $run:expr) => {
        match $n {
            $($column => { const $name: usize = $column; $run })*
            _ => unreachable!("a tile has at most {} columns", Self::NR),
        }
    };
}

kernel! {
    /// 12 of 16 registers hold sums, on most processors.
    Portable: vector::Array<f32>, (4, 3) = 12 rows in registers 1 2 3; 4 columns of (1 2 3 4)
}
#[cfg(target_arch = "x86_64")]
kernel! {
    /// 24 of 32 registers hold sums.
    Avx512Tall: vector::F32x16, (16, 4) = 64 rows in registers 1 2 3 4; 6 columns of (1 2 3 4 5 6)
}
#[cfg(target_arch = "x86_64")]
kernel! {
    /// For a C of few rows; 24 of 32 registers hold sums.
    Avx512Short: vector::F32x16, (16, 2) = 32 rows in registers 1 2; 12 columns of (1 2 3 4 5 6 7 8 9 10 11 12)
}
#[cfg(target_arch = "x86_64")]
kernel! {
    /// 12 of 16 registers hold sums.
    Avx2: vector::F32x8, (8, 3) = 24 rows in registers 1 2 3; 4 columns of (1 2 3 4)
}
