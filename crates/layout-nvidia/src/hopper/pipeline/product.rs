//! Shared by the kernels of one product: the main loop of a tile, and its epilogue.

use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared;
use layout_algebra::tensor::{Addressable, Fragment, StaticCosize, TileMut};

use crate::device::Narrow;
use crate::hopper::{
    Barriers, Consumer, Coordinates, Epilogue, HasDescriptor, PartSlice, PartValues,
};

/// The tile in shared memory for the store of a part of C.
pub type TileC<'t, T> = Tensor<TileMut<'t, T, Shared>, PartSlice>;
/// A thread's accumulators.
pub type Accumulators<F> = Fragment<f32, <F as TileProduct>::Accumulators>;

/// The product of a tile: its elements, its instruction, and its width.
///
/// # Safety
/// A thread has the sums of its warpgroup's 64 rows and `128 WIDE` columns; `mainloop` reads at
/// most `2 + 2 WIDE` boxes of each stage, those of A from `boxes.0` on and those of B from
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
    /// Computes the accumulators of a tile of `depth` stages, whose boxes start at `boxes`.
    ///
    /// # Safety
    /// All threads of the warpgroup call this, of 256 in all; the producer fills `depth` stages.
    unsafe fn mainloop<S: Barriers, E: Barriers + Clone>(
        boxes: (*mut Self::A, *mut Self::B),
        thread: usize,
        ring: &mut Consumer<S, E>,
        depth: u32,
    ) -> Accumulators<Self>
    where
        Self: Sized;
}

/// The epilogue of a product. (Not a closure: the compiler does not inline one that is called in
/// four places, and accumulators as arguments are in memory.)
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
    /// Called by one thread before the accumulators of this part of C are stored: it may prefetch
    /// data for them.
    fn prefetch_source(&self, _there: &impl Coordinates<2>) {}
    /// Called by all threads of the warpgroup before the accumulators of a tile are computed: a
    /// thread may start copies, for part `at` of C, to the tile of the store.
    ///
    /// # Safety
    /// The part exists, and the tile is free.
    unsafe fn load_source(&self, _at: (usize, usize), _: &Epilogue, _tile: &mut TileC<'_, F::C>) {}
    /// Whether there are such copies, which need free tiles.
    const LOADS_SOURCE: bool = false;
    /// Computes part `at` of C for the thread from part `j` of the warpgroup's accumulators; its
    /// tile is free. Copies have started for parts 0 and 1.
    ///
    /// # Safety
    /// The part exists.
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
