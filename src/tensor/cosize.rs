//! The cosize of a static layout as a type: the length of the array that holds its elements.
//!
//! `Cosize = 1 + sum (s_k - 1) * d_k`

use generic_array::ArrayLength;
use typenum::{UInt, UTerm};

use crate::int::{AddInt, One};
use crate::layout::StaticLayout;
use crate::multiple::Multiple;
use crate::stand_in::StandIn;
use crate::strided::StridedLayout;
use crate::tensor::room::LastReach;
use crate::tensor::storage::Addressable;
use crate::tuple::Nested;

/// `L: StaticCosize`: the cosize of the static layout `L` is known as a type. CuTe's `cosize_v`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::CosizeOf;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(CosizeOf<Layout!((4, 6):(1, 10))>, Int!(54));
/// ```
#[diagnostic::on_unimplemented(
    message = "the cosize of this layout is not known at compile time",
    label = "a fragment needs a layout whose every number is static",
    note = "take a `Vec` as storage where a number is known only at run time"
)]
pub trait StaticCosize: StaticLayout + Addressable {
    /// One past the largest offset.
    type Cosize: ArrayLength;
}
/// The cosize of `L` as a type.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::CosizeOf;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(CosizeOf<Layout!((4, 6):(10, 1))>, Int<36>); // 1 + 3 * 10 + 5 * 1
/// ```
pub type CosizeOf<L> = <L as StaticCosize>::Cosize;

#[diagnostic::do_not_recommend]
impl<S: Nested, D: Nested> StaticCosize for StridedLayout<S, D>
where
    Self: StaticLayout + Addressable,
    S::Node: LastReach<D::Node, Output: OneMore>,
{
    type Cosize = <<S::Node as LastReach<D::Node>>::Output as OneMore>::Output;
}

impl StaticCosize for StandIn {
    type Cosize = One;
}

/// `self + 1`, a length. What only run time knows is said to be so by the bound of `StaticCosize`, and has a stand-in here.
pub trait OneMore {
    type Output: ArrayLength;
}
impl OneMore for UTerm {
    type Output = One;
}
impl<U, B> OneMore for UInt<U, B>
where
    Self: AddInt<One, Output: ArrayLength>,
{
    type Output = <Self as AddInt<One>>::Output;
}
impl OneMore for usize {
    type Output = One;
}
impl<F> OneMore for Multiple<F> {
    type Output = One;
}
