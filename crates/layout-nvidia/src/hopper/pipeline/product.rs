//! What kernels of one product share: what a tile multiplies, and what becomes of its accumulators.

use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared;
use layout_algebra::tensor::{Addressable, Fragment, StaticCosize, TileMut};

use crate::device::Narrow;
use crate::hopper::{
    Barriers, Consumer, Coordinates, Epilogue, HasDescriptor, PartSlice, PartValues,
};

/// The tile that a part of C leaves by.
pub type TileC<'t, T> = Tensor<TileMut<'t, T, Shared>, PartSlice>;
/// A thread's accumulators.
pub type Accumulators<F> = Fragment<f32, <F as TileProduct>::Accumulators>;

/// What a tile of a product multiplies, by which instruction, and how wide it is.
///
/// # Safety
/// A thread has the sums of its warpgroup's 64 rows and `128 WIDE` columns; `sums` reads no more
/// than `2 + 2 WIDE` boxes of each stage, those of A from `boxes.0` on and those of B from
/// `boxes.1` on.
pub unsafe trait TileProduct: 'static {
    /// The elements of A.
    type A: 'static;
    /// The elements of B.
    type B: 'static;
    /// The elements of C.
    type C: Narrow;
    /// 64 rows of 128 bytes of A and B.
    type Box: HasDescriptor + Default;
    /// The columns of a tile, in units of 128.
    const WIDE: usize;
    /// The stages.
    const STAGES: u32 = 8 - 2 * Self::WIDE as u32;
    /// A thread's accumulators of its warpgroup's 64 rows.
    type Accumulators: Addressable + StaticCosize;
    /// The accumulators of a tile, of `depth` stages, whose boxes are those from `boxes` on.
    ///
    /// # Safety
    /// All threads of the warpgroup come here, of 256 in all; the ring brings `depth` stages.
    unsafe fn mainloop<S: Barriers, E: Barriers + Clone>(
        boxes: (*mut Self::A, *mut Self::B),
        thread: usize,
        ring: &mut Consumer<S, E>,
        depth: u32,
    ) -> Accumulators<Self>
    where
        Self: Sized;
}

/// What becomes of a product's accumulators on their way to memory. (No closure: the compiler does
/// not inline one that is called in four places, and accumulators that a function is given lie in
/// memory.)
///
/// ```
/// use layout_algebra::tensor::Fragment;
/// use layout_nvidia::hopper::{Epilogue, EpilogueOp, PartValues, Accumulators, TileC, TileProduct};
/// struct Relu;
/// impl<F: TileProduct> EpilogueOp<F> for Relu {
///     #[inline(always)]
///     unsafe fn compute_part(
///         &self,
///         _: (usize, usize),
///         j: usize,
///         epilogue: &Epilogue,
///         sums: &Accumulators<F>,
///         _: &mut TileC<'_, F::C>,
///     ) -> Fragment<F::C, PartValues> {
///         epilogue.convert_part(sums, j, |_, sum| if sum > 0.0 { sum } else { 0.0 })
///     }
/// }
/// ```
pub trait EpilogueOp<F: TileProduct> {
    /// One thread knows that the accumulators of this part of C are going to leave: it may have
    /// something fetched for them.
    fn prefetch_source(&self, _there: &impl Coordinates<2>) {}
    /// Before the accumulators of a tile are computed: a thread may start copies, for part `at` of
    /// C, to the tile that the part leaves by. All threads of the warpgroup come here.
    ///
    /// # Safety
    /// There is such a part, and the tile is free.
    unsafe fn load_source(&self, _at: (usize, usize), _: &Epilogue, _tile: &mut TileC<'_, F::C>) {}
    /// Are there such copies? Then the tiles have to be free by then.
    const LOADS_SOURCE: bool = false;
    /// Computes, from part `j` of the warpgroup's accumulators, what the thread stores in part `at`
    /// of C; the tile that it leaves by is free before. Copies have begun for parts 0 and 1.
    ///
    /// # Safety
    /// There is such a part.
    unsafe fn compute_part(
        &self,
        at: (usize, usize),
        j: usize,
        epilogue: &Epilogue,
        sums: &Accumulators<F>,
        tile: &mut TileC<'_, F::C>,
    ) -> Fragment<F::C, PartValues>;
}
/// The accumulators times a number, rounded.
#[derive(Clone, Copy, Debug)]
pub struct Scaled(pub f32);
impl<F: TileProduct> EpilogueOp<F> for Scaled {
    #[inline(always)]
    unsafe fn compute_part(
        &self,
        _: (usize, usize),
        j: usize,
        epilogue: &Epilogue,
        sums: &Accumulators<F>,
        _: &mut TileC<'_, F::C>,
    ) -> Fragment<F::C, PartValues> {
        epilogue.convert_part(sums, j, |_, sum| self.0 * sum)
    }
}
