//! The cosize of a static layout as a type: the length of the array that holds its elements.
//!
//! `Cosize = 1 + sum (s_k - 1) * d_k`

use generic_array::ArrayLength;

use crate::int::{AddInt, MulInt, One, StaticInt, SubInt, Zero};
use crate::layout::StaticLayout;
use crate::strided::StridedLayout;
use crate::tensor::storage::Addressable;
use crate::tuple::{Cons, Leaf, Nested, Nil};

/// `L: StaticCosize`: the cosize of the static layout `L` is known as a type. CuTe's `cosize_v`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::CosizeOf;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(CosizeOf<Layout!((4, 6):(1, 10))>, Int!(54));
/// ```
#[diagnostic::on_unimplemented(
    message = "the cosize of `{Self}` is not known at compile time",
    label = "a fragment needs a layout whose every number is static",
    note = "take a `Vec` as storage where a number is known only at run time"
)]
pub trait StaticCosize: StaticLayout + Addressable {
    /// One past the largest offset.
    type Cosize: ArrayLength;
}
/// The cosize of `L` as a type.
pub type CosizeOf<L> = <L as StaticCosize>::Cosize;

impl<S: Nested, D: Nested> StaticCosize for StridedLayout<S, D>
where
    Self: StaticLayout + Addressable,
    S::Node: LastOffset<D::Node, Output: AddInt<One, Output: ArrayLength>>,
{
    type Cosize = <<S::Node as LastOffset<D::Node>>::Output as AddInt<One>>::Output;
}

/// `sum (s_k - 1) * d_k` of the shape's node `self` and the stride's node `D`.
pub trait LastOffset<D> {
    type Output: StaticInt;
}
impl LastOffset<Nil> for Nil {
    type Output = Zero;
}
impl<S: SubInt<One, Output: MulInt<D>>, D> LastOffset<Leaf<D>> for Leaf<S> {
    type Output = <S::Output as MulInt<D>>::Output;
}
impl<S: Nested, ST, D: Nested, DT> LastOffset<Cons<D, DT>> for Cons<S, ST>
where
    S::Node: LastOffset<D::Node, Output: AddInt<<ST as LastOffset<DT>>::Output>>,
    ST: LastOffset<DT>,
{
    type Output = <<S::Node as LastOffset<D::Node>>::Output as AddInt<<ST as LastOffset<DT>>::Output>>::Output;
}
