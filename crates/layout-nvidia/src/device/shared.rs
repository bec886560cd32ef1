//! The shared memory of a block, as the layouts of its tiles.

use core::marker::PhantomData;

use half::{bf16, f16};
use layout_algebra::prelude::*;
use layout_algebra::tensor::TileMut;
use layout_algebra::tensor::space::Shared;

use crate::copy::Element;
use crate::element::{C64, E4m3, E5m2, I4x8, Tf32, U1x32, U4x8};
use crate::hopper::{HasDescriptor, Mbarrier};

/// An element of a tile in shared memory, which is uninitialized at first.
///
/// ```compile_fail,E0277
/// use layout_algebra::prelude::*;
/// use layout_nvidia::device::{SharedTile, SharedTiles};
/// // Arbitrary bits are not a valid reference or `bool`.
/// let bytes = <(SharedTile<&'static u32, Layout!(32)>,)>::BYTES;
/// ```
///
/// # Safety
/// Every bit pattern is a valid value.
#[diagnostic::on_unimplemented(
    message = "a tile in shared memory has no elements `{Self}`",
    label = "what lies there at first is no `{Self}`: not any bits are one",
    note = "a struct of numbers of one's own says it: `unsafe impl SharedElement for Mine {{}}`; \
            generic code has the bound: `T: SharedElement`"
)]
pub unsafe trait SharedElement: 'static {}
/// Elements by name: a blanket impl for `Element` would conflict with the others, since the trait
/// is from another package.
macro_rules! elements {
    ($($t:ty)*) => {$(
        const _: () = {
            const fn is_copied<T: Element>() {}
            is_copied::<$t>();
        };
        // SAFETY: `Element`: every bit pattern is valid.
        unsafe impl SharedElement for $t {}
    )*};
}
elements! {
    u8 i8 E4m3 E5m2 u16 i16 f16 bf16 u32 i32 f32 Tf32 I4x8 U4x8 U1x32 u64 i64 f64 u128 C64
}
// SAFETY: a number.
unsafe impl SharedElement for Mbarrier {}
// SAFETY: an array of elements for which every bit pattern is valid.
unsafe impl<T: SharedElement, const N: usize> SharedElement for [T; N] {}

/// A tile in shared memory: elements of the type `T` under the layout `L`.
#[derive(Clone, Copy, Debug, Default)]
pub struct SharedTile<T, L>(PhantomData<(T, L)>);
impl<T, L: HasDescriptor> SharedTile<T, L> {
    /// The bytes of the tile, rounded up to lines of 128.
    const BYTES: usize = match L::SPAN {
        Some(span) => (span * size_of::<T>()).next_multiple_of(128),
        None => panic!("the cosize of a tile in shared memory is known only at run time"),
    };
    /// The alignment of the tile: a line, or for a swizzled tile the period of the swizzle, since
    /// TMA and `wgmma` swizzle addresses, with a period of at most 1024 bytes.
    const ALIGNMENT: usize = match L::SWIZZLE {
        (0, ..) => 128,
        (bits, base, shift) => match size_of::<T>() << (bits + base + shift.unsigned_abs()) {
            pattern @ 128..1024 => pattern,
            0..128 => 128,
            _ => 1024,
        },
    };
    /// The first byte of the tile, if the tiles before it end at byte `behind`.
    const fn first_byte(behind: usize) -> usize {
        behind.next_multiple_of(Self::ALIGNMENT)
    }
}

/// All tiles of a block in shared memory, contiguous: a tuple of [`SharedTile`], or `()`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::device::{SharedTile, SharedTiles};
/// // Two operands of 128 x 8 elements in three stages each.
/// type Tile = SharedTile<f32, Layout!((128, 8, 3))>;
/// assert_eq!(<(Tile, Tile)>::BYTES, 2 * 128 * 8 * 3 * 4);
/// // A swizzled tile is aligned to its pattern of 1024 bytes.
/// type Swizzled = SharedTile<u16, ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!((128, 64):(64, 1))>>;
/// assert_eq!(<(SharedTile<u64, Layout!(2)>, Swizzled)>::BYTES, 1024 + 128 * 64 * 2);
/// assert_eq!(<(Swizzled, SharedTile<u64, Layout!(2)>)>::BYTES, 128 * 64 * 2 + 128);
/// ```
///
/// # Safety
/// `make_tensors` reaches at most `BYTES` bytes of shared memory.
#[diagnostic::on_unimplemented(
    message = "the shared memory of a kernel is a tuple of at most 6 tiles",
    label = "a tuple of one has a comma, `(SharedTile<f32, Staged>,)`; without a tile it is `()`"
)]
pub unsafe trait SharedTiles {
    /// The bytes of dynamic shared memory of the tiles.
    const BYTES: usize;
    /// A tensor for each tile.
    type Tensors;
    /// Makes the tensors.
    ///
    /// # Safety
    /// The block was launched with `BYTES` bytes of shared memory. Each thread calls this once, and
    /// barriers separate writes from reads by other threads.
    unsafe fn make_tensors() -> Self::Tensors;
}
// SAFETY: no memory.
unsafe impl SharedTiles for () {
    const BYTES: usize = 0;
    type Tensors = ();
    unsafe fn make_tensors() {}
}
macro_rules! tuples {
    ($($($tile:ident $element:ident $layout:ident)*;)*) => {$(
        // SAFETY: the tiles do not overlap, each within the span of its layout.
        unsafe impl<$($element: SharedElement, $layout: HasDescriptor + Default),*> SharedTiles for ($(SharedTile<$element, $layout>,)*) {
            const BYTES: usize = {
                let mut end = 0;
                $(end = SharedTile::<$element, $layout>::first_byte(end) + SharedTile::<$element, $layout>::BYTES;)*
                end
            };
            type Tensors = ($(Tensor<TileMut<'static, $element, Shared>, $layout>,)*);
            #[inline]
            unsafe fn make_tensors() -> Self::Tensors {
                let (window, mut end) = (shared_window(Self::BYTES), 0);
                // SAFETY: the tiles do not overlap in the memory that the caller promises, and
                // every bit pattern is a valid element.
                unsafe {
                    ($({
                        let begin = SharedTile::<$element, $layout>::first_byte(end);
                        end = begin + SharedTile::<$element, $layout>::BYTES;
                        let _ = end;
                        Tensor::from_shared(window.wrapping_add(begin).cast::<$element>(), $layout::default())
                    },)*)
                }
            }
        }
    )*};
}
tuples! { A T L; A T L B U M; A T L B U M C V N; A T L B U M C V N D W O; A T L B U M C V N D W O E X P;
A T L B U M C V N D W O E X P F Y Q; }

#[cfg(target_arch = "nvptx64")]
core::arch::global_asm!(".extern .shared .align 1024 .b8 layout_nvidia_shared[];");

/// The address of the block's dynamic shared memory.
#[cfg(target_arch = "nvptx64")]
#[inline]
fn shared_window(_: usize) -> *mut u8 {
    let base: u64;
    // SAFETY: an address is read.
    unsafe {
        core::arch::asm!("{{ .reg .b64 at; mov.u64 at, layout_nvidia_shared; cvta.shared.u64 {base}, at; }}",
            base = lateout(reg64) base, options(pure, nomem, nostack));
    }
    base as usize as *mut u8
}
#[cfg(not(target_arch = "nvptx64"))]
fn shared_window(bytes: usize) -> *mut u8 {
    layout_instructions::block::shared_memory(bytes)
}
