//! The memory that the threads of a block share: laid out by the layouts of its tiles.

use core::marker::PhantomData;

use half::{bf16, f16};
use layout_algebra::prelude::*;
use layout_algebra::tensor::TileMut;
use layout_algebra::tensor::space::Shared;

use crate::copy::Element;
use crate::element::{C64, E4m3, E5m2, I4x8, Tf32, U1x32, U4x8};
use crate::hopper::{HasDescriptor, Mbarrier};

/// An element of a tile in shared memory, which holds at first whatever lies there.
///
/// ```compile_fail,E0277
/// use layout_algebra::prelude::*;
/// use layout_nvidia::device::{SharedTile, SharedTiles};
/// // Bits that nobody has written are no reference, and no `bool`.
/// let bytes = <(SharedTile<&'static u32, Layout!(32)>,)>::BYTES;
/// ```
///
/// # Safety
/// Any bits are a value of it.
#[diagnostic::on_unimplemented(
    message = "a tile in shared memory has no elements `{Self}`",
    label = "what lies there at first is no `{Self}`: not any bits are one",
    note = "a struct of numbers of one's own says it: `unsafe impl SharedElement for Mine {{}}`; \
            generic code has the bound: `T: SharedElement`"
)]
pub unsafe trait SharedElement: 'static {}
/// Elements that are copied, by name: one impl for all of them could not stand beside the others,
/// since another package has the trait.
macro_rules! elements {
    ($($t:ty)*) => {$(
        const _: () = {
            const fn is_copied<T: Element>() {}
            is_copied::<$t>();
        };
        // SAFETY: `Element`: any bits are a value.
        unsafe impl SharedElement for $t {}
    )*};
}
elements! {
    u8 i8 E4m3 E5m2 u16 i16 f16 bf16 u32 i32 f32 Tf32 I4x8 U4x8 U1x32 u64 i64 f64 u128 C64
}
// SAFETY: a number.
unsafe impl SharedElement for Mbarrier {}
// SAFETY: an array of what any bits are a value of.
unsafe impl<T: SharedElement, const N: usize> SharedElement for [T; N] {}

/// A tile in shared memory: elements of the type `T` under the layout `L`.
#[derive(Clone, Copy, Debug, Default)]
pub struct SharedTile<T, L>(PhantomData<(T, L)>);
impl<T, L: HasDescriptor> SharedTile<T, L> {
    /// The bytes that it reaches, in whole lines of 128.
    const BYTES: usize = match L::SPAN {
        Some(span) => (span * size_of::<T>()).next_multiple_of(128),
        None => panic!("the cosize of a tile in shared memory is known only at run time"),
    };
    /// Where it begins, a multiple of it: at a line, and if it is swizzled where the pattern
    /// begins, since copies by TMA and `wgmma` swizzle addresses. Theirs repeat after 1024 bytes at
    /// most.
    const ALIGNMENT: usize = match L::SWIZZLE {
        (0, ..) => 128,
        (bits, base, shift) => match size_of::<T>() << (bits + base + shift.unsigned_abs()) {
            pattern @ 128..1024 => pattern,
            0..128 => 128,
            _ => 1024,
        },
    };
    /// Where the tile begins, if the tiles before it end at byte `behind`.
    const fn first_byte(behind: usize) -> usize {
        behind.next_multiple_of(Self::ALIGNMENT)
    }
}

/// All tiles that a block has in shared memory, one behind the other: a tuple of [`SharedTile`], or
/// `()`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::device::{SharedTile, SharedTiles};
/// // Two operands of 128 x 8 elements in three stages each.
/// type Tile = SharedTile<f32, Layout!((128, 8, 3))>;
/// assert_eq!(<(Tile, Tile)>::BYTES, 2 * 128 * 8 * 3 * 4);
/// // A swizzled tile begins where its pattern of 1024 bytes does.
/// type Swizzled = SharedTile<u16, ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!((128, 64):(64, 1))>>;
/// assert_eq!(<(SharedTile<u64, Layout!(2)>, Swizzled)>::BYTES, 1024 + 128 * 64 * 2);
/// assert_eq!(<(Swizzled, SharedTile<u64, Layout!(2)>)>::BYTES, 128 * 64 * 2 + 128);
/// ```
///
/// # Safety
/// `make_tensors` reaches `BYTES` bytes of shared memory, and no more.
#[diagnostic::on_unimplemented(
    message = "the shared memory of a kernel is a tuple of at most 6 tiles",
    label = "a tuple of one has a comma, `(SharedTile<f32, Staged>,)`; without a tile it is `()`"
)]
pub unsafe trait SharedTiles {
    /// The bytes of dynamic shared memory that they take.
    const BYTES: usize;
    /// A tensor for each tile.
    type Tensors;
    /// The tensors.
    ///
    /// # Safety
    /// The block was launched with `BYTES` bytes of shared memory. Each thread asks once, and what
    /// threads write and others read is between barriers.
    unsafe fn make_tensors() -> Self::Tensors;
}
// SAFETY: it reaches nothing.
unsafe impl SharedTiles for () {
    const BYTES: usize = 0;
    type Tensors = ();
    unsafe fn make_tensors() {}
}
macro_rules! tuples {
    ($($($tile:ident $element:ident $layout:ident)*;)*) => {$(
        // SAFETY: the tiles lie one behind the other, each within what its layout reaches.
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
                // SAFETY: the tiles lie one behind the other in the memory that the caller vouches
                // for, and any bits are an element.
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

/// Where the block's dynamic shared memory begins.
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
