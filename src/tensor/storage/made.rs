//! What a tensor is made of, such that a wrong storage or layout is reported once, where the tensor is made, and not again at each use of it.

use crate::refusal::candidate::parts;
use crate::tensor::storage::{Addressable, Contiguous};

parts! {
    /// `(): OnStorage<S, T>`: a tensor can be made on `S`, and `T` is the same type.
    ///
    /// ```
    /// use layout_algebra::tensor::OnStorage;
    /// use static_assertions::{assert_impl_all, assert_not_impl_any};
    /// assert_impl_all!((): OnStorage<Vec<f32>, Vec<f32>>);
    /// assert_not_impl_any!((): OnStorage<f32, f32>);
    /// ```
    #[diagnostic::on_unimplemented(
        message = "cannot make a tensor: this is not memory without gaps",
        label = "`{A}`: not storage",
        note = "a tensor is made on a `Vec`, an array, a slice, or a reference to one of these; one on a raw pointer is `Tensor::from_raw`"
    )]
    OnStorage storage: Contiguous;
    /// `(): UnderLayout<L, M>`: a tensor can be made under `L`, and `M` is the same type.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::UnderLayout;
    /// use static_assertions::{assert_impl_all, assert_not_impl_any};
    /// assert_impl_all!((): UnderLayout<DynLayout, DynLayout>);
    /// assert_not_impl_any!((): UnderLayout<Identity<Shape!((4, 6))>, Identity<Shape!((4, 6))>>);
    /// ```
    #[diagnostic::on_unimplemented(
        message = "this is no layout of memory",
        label = "its offsets are not known to be places in memory",
        note = "the layouts of memory are strided ones, swizzled ones and `DynLayout`; an identity layout leads to coordinates: `Tensor::coordinates`"
    )]
    UnderLayout layout: Addressable;
}
