//! The memory that the threads of a block share: laid out by the layouts of its tiles.

use core::marker::PhantomData;

use layout_algebra::prelude::*;
use layout_algebra::tensor::TileMut;
use layout_algebra::tensor::space::Shared;

/// A tile in shared memory: elements of the type `T` under the layout `L`.
#[derive(Clone, Copy, Debug, Default)]
pub struct SharedTile<T, L>(PhantomData<(T, L)>);
impl<T, L: Addressable> SharedTile<T, L> {
    /// The bytes that it reaches, in whole lines of 128.
    const BYTES: usize = match L::SPAN {
        Some(span) => (span * size_of::<T>()).next_multiple_of(128),
        None => panic!("the cosize of a tile in shared memory is known only at run time"),
    };
}

/// All tiles that a block has in shared memory, one behind the other: a tuple of [`SharedTile`], or `()`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::device::{SharedTile, SharedTiles};
/// // Two operands of 128 x 8 numbers in three stages each.
/// type Tile = SharedTile<f32, Layout!((128, 8, 3))>;
/// assert_eq!(<(Tile, Tile)>::BYTES, 2 * 128 * 8 * 3 * 4);
/// ```
pub trait SharedTiles {
    /// The bytes of dynamic shared memory that they take.
    const BYTES: usize;
    /// A tensor for each tile.
    type Tensors;
    /// The tensors.
    ///
    /// # Safety
    /// The block was launched with `BYTES` bytes of shared memory. Each thread asks once, and what threads write and
    /// others read is between barriers.
    unsafe fn tensors() -> Self::Tensors;
}
impl SharedTiles for () {
    const BYTES: usize = 0;
    type Tensors = ();
    unsafe fn tensors() {}
}
macro_rules! tuples {
    ($($($tile:ident $element:ident $layout:ident)*;)*) => {$(
        impl<$($element: 'static, $layout: Addressable + Default),*> SharedTiles for ($(SharedTile<$element, $layout>,)*) {
            const BYTES: usize = 0 $(+ SharedTile::<$element, $layout>::BYTES)*;
            type Tensors = ($(Tensor<TileMut<'static, $element, Shared>, $layout>,)*);
            #[inline]
            unsafe fn tensors() -> Self::Tensors {
                let mut place = window();
                // SAFETY: the tiles lie one behind the other in the memory that the caller vouches for.
                unsafe {
                    ($({
                        let base = place.cast::<$element>();
                        place = place.wrapping_add(SharedTile::<$element, $layout>::BYTES);
                        let _ = place;
                        Tensor::from_shared(base, $layout::default())
                    },)*)
                }
            }
        }
    )*};
}
tuples! { A T L; A T L B U M; A T L B U M C V N; A T L B U M C V N D W O; }

#[cfg(target_arch = "nvptx64")]
core::arch::global_asm!(".extern .shared .align 1024 .b8 layout_nvidia_shared[];");

/// Where the block's dynamic shared memory begins.
#[cfg(target_arch = "nvptx64")]
#[inline]
fn window() -> *mut u8 {
    let base: u64;
    // SAFETY: an address is read.
    unsafe {
        core::arch::asm!("{{ .reg .b64 at; mov.u64 at, layout_nvidia_shared; cvta.shared.u64 {base}, at; }}",
            base = lateout(reg64) base, options(pure, nomem, nostack));
    }
    base as usize as *mut u8
}
#[cfg(not(target_arch = "nvptx64"))]
fn window() -> *mut u8 {
    panic!("shared memory is the device's")
}
