//! The memory that the threads of a block share: laid out by the layouts of its tiles.

use core::fmt::Debug;
use core::marker::PhantomData;

use layout_algebra::Layout;
use layout_algebra::atom::CopyAtom;
use layout_algebra::prelude::*;
use layout_algebra::tensor::{Addressable, Storage, StorageMut, TileMut};

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
            type Tensors = ($(Tensor<TileMut<'static, $element>, $layout>,)*);
            #[inline]
            unsafe fn tensors() -> Self::Tensors {
                let mut place = window();
                // SAFETY: the tiles lie one behind the other in the memory that the caller vouches for.
                unsafe {
                    ($({
                        let base = place.cast::<$element>();
                        place = place.wrapping_add(SharedTile::<$element, $layout>::BYTES);
                        let _ = place;
                        Tensor::from_raw(base, $layout::default())
                    },)*)
                }
            }
        }
    )*};
}
tuples! { A T L; A T L B U M; A T L B U M C V N; }

#[cfg(target_arch = "nvptx64")]
core::arch::global_asm!(".extern .shared .align 128 .b8 layout_nvidia_shared[];");

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

/// The address in the window of shared memory, 32 bits wide, of a pointer into it: what instructions on shared memory
/// take.
///
/// That is the lower half of the pointer: from sm_70 on, the window begins at a multiple of 2^32. (`cvta.to.shared` says
/// the same, but the sums that lead to a pointer are then made in 64 bits.)
#[inline]
#[must_use]
pub fn shared_address<T>(pointer: *const T) -> u32 {
    pointer as usize as u32
}

/// Where value `i` of a tensor lies.
#[inline]
pub(crate) fn address<S: Storage, L: Addressable>(tensor: &Tensor<S, L>, i: usize) -> *const S::Item {
    tensor.view().into_storage().base().wrapping_add(tensor.layout().at(i))
}
#[inline]
pub(crate) fn address_mut<S: StorageMut, L: Addressable>(tensor: &mut Tensor<S, L>, i: usize) -> *mut S::Item {
    let offset = tensor.layout().at(i);
    tensor.view_mut().into_storage().base_mut().wrapping_add(offset)
}

/// `N` neighbours from shared memory to registers, by one load: `ld.shared`, LDS of 32 N bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lds<const COUNT: usize>;
/// `N` neighbours from registers to shared memory, by one store: `st.shared`, STS of 32 N bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sts<const COUNT: usize>;
/// `N` neighbours from global memory to registers, by one load: LDG of 32 N bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ldg<const COUNT: usize>;
/// `N` neighbours from registers to global memory, by one store: STG of 32 N bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stg<const COUNT: usize>;
/// `N` neighbours from global to shared memory, while the threads go on: `cp.async`, LDGSTS of 32 N bits. Zeros, if the
/// elements are none.
#[derive(Clone, Copy, Debug)]
pub struct CpAsync<const COUNT: usize> {
    there: bool,
}
impl<const COUNT: usize> CpAsync<COUNT> {
    /// A copy of elements that are there.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        CpAsync { there: true }
    }
    /// A copy of elements if they are there, else of zeros; then no memory is read. CuTe's `with`.
    #[inline]
    #[must_use]
    pub const fn with(self, there: bool) -> Self {
        CpAsync { there }
    }
}
impl<const COUNT: usize> Default for CpAsync<COUNT> {
    fn default() -> Self {
        Self::new()
    }
}

macro_rules! copies {
    ($($atom:ty, $values:literal, |$this:ident, $source:ident, $destination:ident, $first:ident| $body:block)*) => {$(
        impl CopyAtom for $atom {
            type Value = f32;
            type ThrId = Layout!(1:0);
            type SrcLayout = Layout!((1, $values):(0, 1));
            type DstLayout = Layout!((1, $values):(0, 1));
            type RefLayout = Layout!((1, $values):(0, 1));
            type State = ();
            #[inline]
            fn prepare<S, L, R, M>(&self, _: &Tensor<S, L>, _: &Tensor<R, M>)
            where
                S: Storage<Item = f32>,
                L: Addressable,
                R: StorageMut<Item = f32>,
                M: Addressable,
            {
            }
            #[inline]
            fn copy<S, L, R, M>(&self, $source: &Tensor<S, L>, $destination: &mut Tensor<R, M>, $first: usize, _: ())
            where
                S: Storage<Item = f32>,
                L: Addressable,
                R: StorageMut<Item = f32>,
                M: Addressable,
            {
                #[cfg(target_arch = "nvptx64")]
                {
                    let $this = self;
                    $body
                }
                #[cfg(not(target_arch = "nvptx64"))]
                for i in 0..$values {
                    let _ = self;
                    // SAFETY: value `i` is one of the copy's.
                    unsafe { *address_mut($destination, $first + i) = *address($source, $first + i) };
                }
            }
        }
    )*};
}
copies! {
    Lds<1>, 1, |_this, source, destination, first| {
        let from = shared_address(address(source, first));
        let a: f32;
        // SAFETY: the value lies in shared memory (the tensor's promise), and has its place in the fragment.
        unsafe {
            core::arch::asm!("ld.shared.f32 {a}, [{from}];", a = lateout(reg32) a, from = in(reg32) from,
                options(nostack, readonly));
            *address_mut(destination, first) = a;
        }
    }
    Lds<4>, 4, |_this, source, destination, first| {
        let from = shared_address(address(source, first));
        let (a, b, c, d): (f32, f32, f32, f32);
        // SAFETY: as above; the four are neighbours.
        unsafe {
            core::arch::asm!("ld.shared.v4.f32 {{{a}, {b}, {c}, {d}}}, [{from}];", a = lateout(reg32) a,
                b = lateout(reg32) b, c = lateout(reg32) c, d = lateout(reg32) d, from = in(reg32) from,
                options(nostack, readonly));
            *address_mut(destination, first) = a;
            *address_mut(destination, first + 1) = b;
            *address_mut(destination, first + 2) = c;
            *address_mut(destination, first + 3) = d;
        }
    }
    Sts<1>, 1, |_this, source, destination, first| {
        let to = shared_address(address_mut(destination, first));
        // SAFETY: as above.
        unsafe {
            core::arch::asm!("st.shared.f32 [{to}], {a};", a = in(reg32) *address(source, first), to = in(reg32) to,
                options(nostack));
        }
    }
    Sts<4>, 4, |_this, source, destination, first| {
        let to = shared_address(address_mut(destination, first));
        // SAFETY: as above.
        unsafe {
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| *address(source, first + i));
            core::arch::asm!("st.shared.v4.f32 [{to}], {{{a}, {b}, {c}, {d}}};", a = in(reg32) a, b = in(reg32) b,
                c = in(reg32) c, d = in(reg32) d, to = in(reg32) to, options(nostack));
        }
    }
    Ldg<4>, 4, |_this, source, destination, first| {
        let from = address(source, first);
        let (a, b, c, d): (f32, f32, f32, f32);
        // SAFETY: as above, in global memory.
        unsafe {
            core::arch::asm!("ld.global.v4.f32 {{{a}, {b}, {c}, {d}}}, [{from}];", a = lateout(reg32) a,
                b = lateout(reg32) b, c = lateout(reg32) c, d = lateout(reg32) d, from = in(reg64) from,
                options(nostack, readonly));
            *address_mut(destination, first) = a;
            *address_mut(destination, first + 1) = b;
            *address_mut(destination, first + 2) = c;
            *address_mut(destination, first + 3) = d;
        }
    }
    Stg<4>, 4, |_this, source, destination, first| {
        let to = address_mut(destination, first);
        // SAFETY: as above.
        unsafe {
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| *address(source, first + i));
            core::arch::asm!("st.global.v4.f32 [{to}], {{{a}, {b}, {c}, {d}}};", a = in(reg32) a, b = in(reg32) b,
                c = in(reg32) c, d = in(reg32) d, to = in(reg64) to, options(nostack));
        }
    }
    CpAsync<1>, 1, |this, source, destination, first| {
        let (to, from) = (shared_address(address_mut(destination, first)), address(source, first));
        // SAFETY: as above, from global to shared memory; nothing is read of what is not there.
        unsafe {
            core::arch::asm!("cp.async.ca.shared.global [{to}], [{from}], 4, {bytes};", to = in(reg32) to,
                from = in(reg64) from, bytes = in(reg32) if this.there { 4_u32 } else { 0 }, options(nostack));
        }
    }
    CpAsync<4>, 4, |this, source, destination, first| {
        let (to, from) = (shared_address(address_mut(destination, first)), address(source, first));
        // SAFETY: as above.
        unsafe {
            if this.there {
                core::arch::asm!("cp.async.cg.shared.global [{to}], [{from}], 16;", to = in(reg32) to,
                    from = in(reg64) from, options(nostack));
            } else {
                core::arch::asm!("cp.async.cg.shared.global [{to}], [{from}], 16, 0;", to = in(reg32) to,
                    from = in(reg64) from, options(nostack));
            }
        }
    }
}
