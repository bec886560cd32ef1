//! Where elements lie: in registers, in the shared memory of a block of threads, in the global
//! memory of a GPU.
//!
//! ```text
//! Registers  arrays, fragments, vectors, slices      what a thread owns or borrows
//! Shared     Tensor::from_shared                     the memory of a block of threads
//! Global     Tensor::from_global                     the memory of the device
//! Generic    Tensor::from_raw                        one of these, not known which
//! ```

use core::fmt::Debug;

mod sealed {
    pub trait Sealed {}
}

/// A space of memory, or [`Anywhere`]. CuTe has the spaces as types of pointers, `gmem_ptr`,
/// `smem_ptr` and `rmem_ptr`; here a [`Storage`](crate::tensor::Storage) has a space. Only this
/// crate has spaces: how a pointer is followed depends on what a space says of itself.
///
/// ```
/// use layout_algebra::tensor::Storage;
/// use layout_algebra::tensor::space::{Generic, Registers};
/// use layout_algebra::tensor::{Tile, TileMut};
/// use static_assertions::assert_impl_all;
/// assert_impl_all!([f32; 8]: Storage<Space = Registers>);
/// assert_impl_all!(Tile<'static, f32>: Storage<Space = Generic>);
/// ```
pub trait Space: sealed::Sealed + Copy + Default + Debug + Send + Sync + 'static {
    /// Whether taking an address costs nothing; an element whose address is taken cannot stay in a
    /// register.
    #[doc(hidden)]
    const ADDRESSED: bool;
    /// Whether whoever made the tensor has promised that vectors begin at multiples of their size
    /// there.
    #[doc(hidden)]
    const ALIGNED: bool;
    /// Whether a place is an ordinary pointer.
    #[doc(hidden)]
    const PLAIN: bool;
    /// Whether it is memory of a GPU, on the CPU too.
    #[doc(hidden)]
    const OF_A_GPU: bool;
}

macro_rules! spaces {
    ($($(#[$doc:meta])* $space:ident: $addressed:expr, $aligned:expr, $plain:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $space;
        impl sealed::Sealed for $space {}
        impl Space for $space {
            const ADDRESSED: bool = $addressed;
            const ALIGNED: bool = $aligned;
            const PLAIN: bool = $plain;
            const OF_A_GPU: bool = matches!(stringify!($space).as_bytes(), b"Shared" | b"Global");
        }
    )*};
}
spaces! {
    /// What a thread owns or borrows in Rust: arrays, fragments, vectors, slices and views of them.
    /// On a GPU a fragment lies in registers as long as its address is not taken. CuTe's `rmem`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::space::Registers;
    /// fn in_registers<S: Storage<Space = Registers>, L>(_: &Tensor<S, L>) {}
    /// let fragment: Fragment<f32, Layout!((4, 2))> = Fragment::zeroed();
    /// in_registers(&fragment);
    /// in_registers(&fragment.slice((.., 1)));
    /// ```
    Registers: cfg!(not(target_arch = "nvptx64")), false, true;
    /// The memory that the threads of a block share. CuTe's `smem`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::space::Shared;
    /// fn in_shared<S: Storage<Space = Shared>, L>(_: &Tensor<S, L>) {}
    /// let mut data = [0.0_f32; 8];
    /// // SAFETY: 8 elements lie behind the pointer, and `data` is not used meanwhile.
    /// let tile = unsafe { Tensor::from_shared(data.as_mut_ptr(), layout!((4, 2))) };
    /// in_shared(&tile);
    /// in_shared(&tile.slice((.., 1))); // slices, tiles and partitions lie where the tensor does
    /// ```
    Shared: true, cfg!(target_arch = "nvptx64"), cfg!(not(target_arch = "nvptx64"));
    /// The memory of the device. CuTe's `gmem`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::space::Global;
    /// fn in_global<S: Storage<Space = Global>, L>(_: &Tensor<S, L>) {}
    /// let data = [0.0_f32; 8];
    /// // SAFETY: 8 elements lie behind the pointer, and nobody writes them.
    /// in_global(&unsafe { Tensor::from_global_ref(data.as_ptr(), layout!((4, 2))) });
    /// ```
    Global: true, cfg!(target_arch = "nvptx64"), true;
    /// Memory whose space is not known: memory behind a raw pointer, and tiles of borrowed memory.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::space::Generic;
    /// fn generic<S: Storage<Space = Generic>, L>(_: &Tensor<S, L>) {}
    /// let mut t = Tensor::fixed([0; 8], layout!((4, 2)));
    /// generic(&t.as_tile_mut());
    /// ```
    Generic: true, false, true;
    /// Any of the spaces: for an atom that takes its elements wherever they lie, such as
    /// [`UniversalCopy`](crate::atom::UniversalCopy).
    ///
    /// ```
    /// use layout_algebra::atom::{CopyAtom, UniversalCopy};
    /// use layout_algebra::tensor::space::Anywhere;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(<UniversalCopy<f32> as CopyAtom>::Source, Anywhere);
    /// ```
    Anywhere: true, false, true;
}

macro_rules! lies_in {
    ($($(#[$doc:meta])* $lies:ident: $message:literal, $label:literal, $note:literal;)*) => {$(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait $lies<P: Space>: Space {}
        impl<Q: Space> $lies<Anywhere> for Q {}
        impl $lies<Registers> for Registers {}
        impl $lies<Shared> for Shared {}
        impl $lies<Global> for Global {}
        impl $lies<Generic> for Generic {}
    )*};
}
lies_in! {
    /// `Q: SourceIn<P>`: what lies in `Q` may be the source of an atom that copies from `P`: they
    /// are the same, or `P` is [`Anywhere`].
    ///
    /// ```
    /// use layout_algebra::tensor::space::{Anywhere, Global, Shared, SourceIn};
    /// use static_assertions::{assert_impl_all, assert_not_impl_any};
    /// assert_impl_all!(Shared: SourceIn<Shared>, SourceIn<Anywhere>);
    /// assert_not_impl_any!(Global: SourceIn<Shared>);
    /// ```
    SourceIn: "cannot copy: the atom copies from the space `{P}`, and the source lies in `{Self}`",
        "the source lies in another space than the one that the atom copies from",
        "a fragment lies in `Registers`; `Tensor::from_shared` and `Tensor::from_global` say where the memory behind a \
         pointer is, `Tensor::from_raw` does not";
    /// `Q: DestinationIn<P>`: what lies in `Q` may be the destination of an atom that copies to
    /// `P`: they are the same, or `P` is [`Anywhere`].
    ///
    /// ```
    /// use layout_algebra::tensor::space::{DestinationIn, Global, Registers};
    /// use static_assertions::{assert_impl_all, assert_not_impl_any};
    /// assert_impl_all!(Registers: DestinationIn<Registers>);
    /// assert_not_impl_any!(Global: DestinationIn<Registers>);
    /// ```
    DestinationIn: "cannot copy: the atom copies to the space `{P}`, and the destination lies in `{Self}`",
        "the destination lies in another space than the one that the atom copies to",
        "a fragment lies in `Registers`; `Tensor::from_shared` and `Tensor::from_global` say where the memory behind a \
         pointer is, `Tensor::from_raw` does not";
}
