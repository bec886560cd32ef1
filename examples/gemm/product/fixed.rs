//! C = A * B for sizes known at compile time: static layouts in place of run-time ones, in the same
//! register block. Every offset, every tail and the number of steps is a constant then, nothing is
//! packed, and no block is worth having.
//!
//! ```text
//! A   (M,K):(1,da)       B   (N,K):(dn,dk)       C   (M,N):(1,dc)       a row-major C is C^T = B^T * A^T
//! ```

use super::block::Block;
use layout_algebra::prelude::*;
use layout_algebra::typenum::Unsigned;
use layout_registers::{Element, Holds, Isa, Task, Vector};
use std::marker::PhantomData;

/// A static layout of rank 2.
pub trait FixedMatrix: StaticLayout {
    const SHAPE: (usize, usize);
    const STRIDE: (usize, usize);
}
impl<M: Unsigned, N: Unsigned, P: Unsigned, Q: Unsigned> FixedMatrix
    for StridedLayout<(M, N), (P, Q)>
where
    Self: StaticLayout,
{
    const SHAPE: (usize, usize) = (M::USIZE, N::USIZE);
    const STRIDE: (usize, usize) = (P::USIZE, Q::USIZE);
}

const FITS: &str = "each layout fits its memory";

/// C = A * B for A of (m, k), B of (n, k), which is B^T, and C of (m, n), by an instruction set.
///
/// # Panics
/// If a layout leaves its memory. Shapes that do not match, and a C or an A whose rows are
/// not neighbours, do not compile.
#[inline(always)]
pub fn fixed<I: Holds<E>, E: Element, A: FixedMatrix, B: FixedMatrix, C: FixedMatrix>(
    isa: I,
    a: (&[E], A),
    b: (&[E], B),
    c: (&mut [E], C),
) {
    assert!(A::COSIZE <= a.0.len() && B::COSIZE <= b.0.len() && C::COSIZE <= c.0.len(), "{FITS}");
    isa.run(Fixed { isa, a: a.0, b: b.0, c: c.0, layouts: PhantomData::<(A, B, C)> });
}

/// A product to be computed, compiled for an instruction set.
struct Fixed<'x, I, E, L> {
    isa: I,
    a: &'x [E],
    b: &'x [E],
    c: &'x mut [E],
    layouts: PhantomData<L>,
}

/// `const $name: usize = $value`, a number up to 16 that generic code computes. Only that number's
/// code is compiled.
macro_rules! with_constant {
    ($name:ident = $value:expr; $run:expr) => {
        with_constant!(@ $name = $value; $run, 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
    };
    (@ $name:ident = $value:expr; $run:expr, $($number:literal)*) => {
        match const { $value } {
            $($number => { const $name: usize = $number; $run })*
            _ => unreachable!("register blocks are smaller than that"),
        }
    };
}

impl<I: Holds<E>, E: Element, A: FixedMatrix, B: FixedMatrix, C: FixedMatrix> Task
    for Fixed<'_, I, E, (A, B, C)>
{
    #[inline(always)]
    fn run(self) {
        const {
            let ((m, k), (n, _)) = (A::SHAPE, B::SHAPE);
            assert!(
                B::SHAPE.1 == k && C::SHAPE.0 == m && C::SHAPE.1 == n,
                "A is (m, k), B is (n, k), C is (m, n)"
            );
            assert!(
                m == 1 || (A::STRIDE.0 == 1 && C::STRIDE.0 == 1),
                "the rows of A and of C are neighbours"
            );
        }
        // The shortest register that holds all rows.
        if const { C::SHAPE.0 <= I::Quarter::LEN } {
            self.on::<I::Quarter>()
        } else if const { C::SHAPE.0 <= I::Half::LEN } {
            self.on::<I::Half>()
        } else {
            self.on::<I::Whole>()
        }
    }
}

/// How a matrix of `M` rows and `N` columns is cut into register blocks.
struct Cut<V, C>(PhantomData<(V, C)>);
impl<V: Vector, C: FixedMatrix> Cut<V, C> {
    /// Registers for all rows, and for those of one block: up to four, two where there are few.
    const REGISTERS: usize = C::SHAPE.0.div_ceil(V::LEN);
    const MV: usize = {
        let most = if V::Isa::REGISTERS >= 32 { 4 } else { 2 };
        Self::REGISTERS.div_ceil(Self::REGISTERS.div_ceil(most))
    };
    /// As many columns as leave registers for A and for an element of B; fewer, if that many cover
    /// C evenly.
    const NR: usize = {
        let n = C::SHAPE.1;
        let room = (V::Isa::REGISTERS - Self::MV - 2) / Self::MV;
        let most = if room < 16 { room } else { 16 };
        let mut even = if most < n { most } else { n };
        while n % even != 0 {
            even -= 1;
        }
        if 2 * even > most || even == n { even } else { n.div_ceil(n.div_ceil(most)) }
    };
}

impl<I: Holds<E>, E: Element, A: FixedMatrix, B: FixedMatrix, C: FixedMatrix>
    Fixed<'_, I, E, (A, B, C)>
{
    /// All tiles, in registers `V`: a narrower one at the end, if the columns do not go evenly.
    #[inline(always)]
    fn on<V: Vector<Isa = I, Element = E>>(mut self) {
        for y in 0..const { C::SHAPE.1 / Cut::<V, C>::NR } {
            with_constant!(NR = Cut::<V, C>::NR; self.down::<V, NR>(y * NR))
        }
        if const { C::SHAPE.1 % Cut::<V, C>::NR > 0 } {
            with_constant!(NR = C::SHAPE.1 % Cut::<V, C>::NR; self.down::<V, NR>(C::SHAPE.1 - NR))
        }
    }

    /// The tiles of `NR` columns: a shorter one at the end, if the registers do not go evenly.
    #[inline(always)]
    fn down<V: Vector<Isa = I, Element = E>, const NR: usize>(&mut self, column: usize) {
        for x in 0..const { Cut::<V, C>::REGISTERS / Cut::<V, C>::MV } {
            with_constant!(MV = Cut::<V, C>::MV; self.tile::<V, MV, NR>(x * MV * V::LEN, column))
        }
        if const { Cut::<V, C>::REGISTERS % Cut::<V, C>::MV > 0 } {
            with_constant!(MV = Cut::<V, C>::REGISTERS % Cut::<V, C>::MV;
                self.tile::<V, MV, NR>((Cut::<V, C>::REGISTERS - MV) * V::LEN, column))
        }
    }

    /// One tile.
    #[inline(always)]
    fn tile<V: Vector<Isa = I, Element = E>, const MV: usize, const NR: usize>(
        &mut self,
        row: usize,
        column: usize,
    ) {
        let Self { isa, a, b, ref mut c, .. } = *self;
        let ((m, n), (_, k)) = (C::SHAPE, A::SHAPE);
        let ((_, step_a), (step_n, step_k), (_, step_c)) = (A::STRIDE, B::STRIDE, C::STRIDE);
        let a = Tensor::new(&a[..A::COSIZE], layout!((m, k):(1, step_a))).expect(FITS);
        let b = Tensor::new(&b[..B::COSIZE], layout!((n, k):(step_n, step_k))).expect(FITS);
        let mut c = Tensor::new(&mut c[..C::COSIZE], layout!((m, n):(1, step_c))).expect(FITS);
        let (rows, accumulate) = ((m - row).min(MV * V::LEN), false);
        let (a, b) = (a.window((row, 0), (rows, k)), b.window((column, 0), (NR, k)));
        let mut c = c.window_mut((row, column), (rows, NR));
        let c = c.as_tile_mut();
        if const { C::SHAPE.0.is_multiple_of(V::LEN) } {
            Block::<V, MV, NR, false, false> { isa, a, b, c, accumulate }.run()
        } else {
            Block::<V, MV, NR, true, false> { isa, a, b, c, accumulate }.run()
        }
    }
}
