//! Which register blocks there are: a size for each kind of register, packed panels of that size,
//! and an instance of [`Block`] for each tail.

use super::block::{Block, Output};
use super::pack::Pack;
use super::tiles::{Matrix, Tiles, dynamic, unit_rows};
use layout_algebra::prelude::*;
use layout_algebra::tensor::Addressable;
#[cfg(target_arch = "x86_64")]
use layout_registers::{Avx2, Avx512};
use layout_registers::{Element, Holds, Isa, Portable, Task, Vector};

/// Elements from some offset of a matrix on, and what exists of them.
pub type View<'x, E> = (&'x [E], Matrix);

/// One tile of the product: `C(m,n) = A(m,k) * B(n,k)`, or `+=` if it is to accumulate.
pub struct Tile<'x, E> {
    pub a: View<'x, E>,
    pub b: View<'x, E>,
    pub c: Output<'x, E>,
    pub accumulate: bool,
    /// Whether to ask for C ahead of time.
    pub ahead: bool,
}

/// All tiles of a block of C, in panels that share k: `A = ((MR,k),(x,1))`,
/// `B = ((NR,k),(y,1))` and `C = ((MR,NR),(x,y))`.
pub struct Panels<'x, K: Kernel> {
    pub isa: K::Isa,
    pub a: (&'x [K::Element], Tiles),
    pub b: (&'x [K::Element], Tiles),
    pub c: (Output<'x, K::Element>, Tiles),
    pub accumulate: bool,
    /// Whether to ask for C ahead of time.
    pub ahead: bool,
}
impl<K: Kernel> Task for Panels<'_, K> {
    #[inline(always)]
    fn run(self) {
        let Self {
            isa,
            a: (a, panels_a),
            b: (b, panels_b),
            c: (mut c, tiles_c),
            accumulate,
            ahead,
        } = self;
        let (down, across) = tiles_c.count();
        for y in 0..across {
            let (lb, at_b) = panels_b.tile(y, 0);
            for x in 0..down {
                let (la, at_a) = panels_a.tile(x, 0);
                let (a, b) = ((&a[at_a..], la), (&b[at_b..], lb));
                let c = c.window_mut(tiles_c.begin(x, y), tiles_c.extent(x, y));
                K::multiply(isa, Tile { a, b, c, accumulate, ahead });
            }
        }
    }
}

/// Elements under the layout of a tile, which lies within its matrix.
#[inline(always)]
fn inside<E, L: Addressable>(elements: &[E], layout: L) -> Tensor<&[E], L> {
    Tensor::new(elements, layout).expect("a tile lies within its matrix")
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
    /// Computes a tile of at most `MR` rows and `NR` columns, in code that is compiled for the
    /// instruction set.
    fn multiply(isa: Self::Isa, tile: Tile<'_, Self::Element>);
    /// Packs panels of `MR` rows.
    fn pack_a(
        isa: Self::Isa,
        from: &[Self::Element],
        source: Tiles,
        to: &mut [Self::Element],
    ) -> Tiles;
    /// Packs panels of `NR` columns, which are rows here.
    fn pack_b(
        isa: Self::Isa,
        from: &[Self::Element],
        source: Tiles,
        to: &mut [Self::Element],
    ) -> Tiles;
    /// Packed panels of A and of B, and the register block in C, as text.
    fn describe(rows: usize, columns: usize, k: usize, step: usize) -> [String; 3];
}

/// Everything of a kernel that needs its numbers as literals: static layouts, and one
/// instance of the body for each tail.
macro_rules! kernel {
    (
        $(#[$doc:meta])* $name:ident: $element:ident on $isa:ident,
        ($len:literal, $mv:literal) = $mr:literal rows in registers $($registers:literal)*;
        $nr:literal columns of $columns:tt
    ) => {
        $(#[$doc])*
        pub struct $name;
        impl Kernel for $name {
            type Vector = <$isa as Holds<$element>>::Whole;
            type Isa = $isa;
            type Element = $element;
            const MR: usize = <Layout!(($len, $mv))>::SIZE;
            const NR: usize = $nr;

            #[inline(always)]
            fn multiply(isa: Self::Isa, tile: Tile<'_, Self::Element>) {
                const { assert!(Self::MR == $mr && Self::Vector::LEN == $len) };
                let Tile { a: (a, la), b: (b, lb), c, accumulate, ahead } = tile;
                let ((m, n), (rows, k)) = (c.shape(), la.shape());
                let (step_a, (step_n, step_k)) = (unit_rows(la).stride().1, lb.stride());
                if (m, n) == ($mr, $nr) {
                    if ahead {
                        // A shallow tile is done before its columns of C have come from memory:
                        // they are asked for now.
                        let registers = layout!(($len, $mv));
                        for j in 0..$nr {
                            for i in 0..$mv {
                                c.prefetch((registers.index((0, i)), j));
                            }
                        }
                    }
                    let a = inside(a, layout!((m, k):(1, step_a)));
                    let b = inside(b, layout!((n, k):(step_n, step_k)));
                    // Nearly all tiles are whole: these are compiled into the loop over them. Where
                    // the steps of k are neighbours in B, the type says so; not with 12 columns,
                    // whose sums the compiler would not keep in registers then.
                    if $nr <= 6 && step_k == 1 {
                        return Block::<Self::Vector, $mv, $nr, false, true> { isa, a, b, c, accumulate }.run();
                    }
                    return Block::<Self::Vector, $mv, $nr, false, false> { isa, a, b, c, accumulate }.run();
                }
                // A may be padded to a whole register.
                let rows = rows.min(m.next_multiple_of($len));
                let a = inside(a, layout!((rows, k):(1, step_a)));
                let b = inside(b, layout!((n, k):(step_n, step_k)));
                match m.div_ceil($len) {
                    $($registers => kernel!(@ n $columns, COLUMNS => isa.run(
                        Block::<Self::Vector, $registers, COLUMNS, true, false> { isa, a, b, c, accumulate }
                    )),)*
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
                let packed_a = layout!((($mr, k), (rows.div_ceil($mr), 1)));
                let packed_b = layout!((($nr, k), (columns.div_ceil($nr), 1)));
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
    /// 12 of 16 registers of 16 bytes hold sums.
    F32Portable: f32 on Portable, (4, 3) = 12 rows in registers 1 2 3; 4 columns of (1 2 3 4)
}
kernel! {
    F64Portable: f64 on Portable, (2, 3) = 6 rows in registers 1 2 3; 4 columns of (1 2 3 4)
}
#[cfg(target_arch = "x86_64")]
kernel! {
    /// 24 of 32 registers of 64 bytes hold sums.
    F32Tall: f32 on Avx512, (16, 4) = 64 rows in registers 1 2 3 4; 6 columns of (1 2 3 4 5 6)
}
#[cfg(target_arch = "x86_64")]
kernel! {
    F64Tall: f64 on Avx512, (8, 4) = 32 rows in registers 1 2 3 4; 6 columns of (1 2 3 4 5 6)
}
#[cfg(target_arch = "x86_64")]
kernel! {
    /// For a C of few rows; 24 of 32 registers hold sums.
    F32Short: f32 on Avx512, (16, 2) = 32 rows in registers 1 2; 12 columns of (1 2 3 4 5 6 7 8 9 10 11 12)
}
#[cfg(target_arch = "x86_64")]
kernel! {
    F64Short: f64 on Avx512, (8, 2) = 16 rows in registers 1 2; 12 columns of (1 2 3 4 5 6 7 8 9 10 11 12)
}
#[cfg(target_arch = "x86_64")]
kernel! {
    /// 12 of 16 registers of 32 bytes hold sums.
    F32Avx2: f32 on Avx2, (8, 2) = 16 rows in registers 1 2; 6 columns of (1 2 3 4 5 6)
}
#[cfg(target_arch = "x86_64")]
kernel! {
    F64Avx2: f64 on Avx2, (4, 2) = 8 rows in registers 1 2; 6 columns of (1 2 3 4 5 6)
}

/// The register blocks for an element.
pub trait Blocks: Element {
    #[cfg(target_arch = "x86_64")]
    type Avx512Tall: Kernel<Element = Self>;
    #[cfg(target_arch = "x86_64")]
    type Avx512Short: Kernel<Element = Self>;
    #[cfg(target_arch = "x86_64")]
    type Avx2: Kernel<Element = Self>;
    type Portable: Kernel<Element = Self>;
}
impl Blocks for f32 {
    #[cfg(target_arch = "x86_64")]
    type Avx512Tall = F32Tall;
    #[cfg(target_arch = "x86_64")]
    type Avx512Short = F32Short;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = F32Avx2;
    type Portable = F32Portable;
}
impl Blocks for f64 {
    #[cfg(target_arch = "x86_64")]
    type Avx512Tall = F64Tall;
    #[cfg(target_arch = "x86_64")]
    type Avx512Short = F64Short;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = F64Avx2;
    type Portable = F64Portable;
}
