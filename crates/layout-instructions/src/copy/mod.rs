//! Copy instructions, CuTe's `Copy_Traits`, one row each.
//!
//! | instruction | CuTe's header | copies |
//! |---|---|---|
//! | `SM50_Shuffle_*` | `copy_traits_sm50.hpp` | registers of a warp, transposed 2 x 2 |
//! | `SM75_*_LDSM_*` | `copy_traits_sm75.hpp` | matrices of 8 x 8 halves from shared memory to registers of a warp |
//! | `SM75_U32x1_MOVM_T` | | such a matrix in registers, transposed |
//! | `SM80_CP_ASYNC_*` | `copy_traits_sm80.hpp` | from global to shared memory, asynchronously |
//! | `SM90_*_STSM_*` | `copy_traits_sm90.hpp` | such matrices from registers to shared memory |
//! | [`UniversalCopy`] | `copy_traits.hpp` | one thread, from anywhere to anywhere |
//!
//! The rows are written in bits, as CuTe's are, and counted in elements of the type `T`. Which
//! element of the shared memory is whose is up to the tensors: a thread of `LDSM` is given the
//! address of a row of a matrix.
//!
//! What is copied at once lies side by side. Under a swizzle that tears it, a copy does not
//! compile:
//!
//! ```compile_fail,E0080
//! use layout_algebra::atom::copy;
//! use layout_algebra::prelude::*;
//! use layout_algebra::tensor::space::{Global, Shared};
//! use layout_instructions::copy::SM80_CP_ASYNC_CACHEALWAYS;
//! type Torn = ComposedLayout<Swizzle<3, 0, 3>, Int<0>, Layout!((8, 8): right)>;
//! let from = Tensor::fixed([0.0_f32; 64], layout!((8, 8): right)).in_space::<Global>();
//! let mut to = Tensor::fixed([0.0_f32; 64], Torn::default()).in_space::<Shared>();
//! // Swizzle<3, 0, 3> tears vectors of 4 elements: it leaves 1 side by side, ..
//! copy(&SM80_CP_ASYNC_CACHEALWAYS::<u128, f32>::new(), &from, &mut to)?;
//! # Ok::<(), LayoutError>(())
//! ```

pub use layout_algebra::atom::UniversalCopy;

#[macro_use]
mod row;
#[cfg(target_arch = "nvptx64")]
mod ptx;

mod table;
pub use table::*;

use core::fmt::Debug;

use layout_algebra::atom::TvLayout;
use layout_algebra::prelude::*;

/// An element that is copied, and how many bits it has.
///
/// ```
/// use half::f16;
/// use layout_algebra::Int;
/// use layout_instructions::copy::Element;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(<f16 as Element>::Bits, Int<16>);
/// ```
///
/// Who implements it promises something, so that `bool` does not get in:
///
/// ```compile_fail,E0200
/// #[derive(Clone, Copy, Debug)]
/// struct Flag(bool);
/// impl layout_instructions::copy::Element for Flag {
///     type Bits = layout_algebra::Int<8>;
/// }
/// ```
///
/// # Safety
/// The type has `Bits` bits and no padding, and any bits are a value: copies reinterpret registers
/// as elements.
pub unsafe trait Element: Copy + Debug + Send + Sync + 'static {
    /// The number of bits.
    type Bits: layout_algebra::typenum::Unsigned;
}
macro_rules! elements {
    ($($bits:literal: $($t:ty)*;)*) => { $($(
        const _: () = assert!(8 * size_of::<$t>() == $bits);
        // SAFETY: numbers and structs of numbers, as wide as the row says, of which any bits are a
        // value.
        unsafe impl Element for $t {
            type Bits = layout_algebra::Int<$bits>;
        }
    )*)* };
}
elements! {
    8: u8 i8 crate::element::E4m3 crate::element::E5m2;
    16: u16 i16 half::f16 half::bf16;
    32: u32 i32 f32 crate::element::Tf32 crate::element::I4x8 crate::element::U4x8 crate::element::U1x32;
    64: u64 i64 f64;
    128: u128 crate::element::C64;
}

/// An access of as many bits as `Self` has, in elements of the type `T`.
///
/// ```
/// use half::f16;
/// use layout_algebra::prelude::*;
/// use layout_instructions::copy::OfAccess;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(<u128 as OfAccess<f16>>::Layout, Layout!((1, 8):(0, 1)));
/// ```
#[diagnostic::on_unimplemented(
    message = "no access copies elements of the type `{T}` by the `{Self}`",
    label = "whole elements are copied, 4, 8 or 16 bytes at once: `u32`, `u64` or `u128`"
)]
pub trait OfAccess<T>: Copy + Debug + 'static {
    /// `(thread, value) -> element`, of one thread.
    type Layout: TvLayout;
}
macro_rules! accesses {
    ($($access:ty: $bits:literal;)*) => { $(
        impl<T: Element> OfAccess<T> for $access
        where
            Layout!((1, $bits):(0, 1)): Upcast<T::Bits, Output: TvLayout>,
        {
            type Layout = Upcasted<Layout!((1, $bits):(0, 1)), T::Bits>;
        }
    )* };
}
accesses! {
    u32: 32;
    u64: 64;
    u128: 128;
}
