//! The cosize of a static layout as a type: the length of the array that holds its elements.
//!
//! `Cosize = 1 + sum (s_k - 1) * d_k`

use typenum::{UInt, UTerm};

use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::StaticLayout;
use crate::list::{Cons, Leaf, Nested, Nil};
use crate::number::int::{AddInt, One, SubInt, Zero};
use crate::number::table::{Plus, RunTimeNumber, Times};
use crate::number::unroll::Unroll;
use crate::tensor::memory::Addressable;

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
    note = "write the number as a literal in `layout!`, or take a `Vec` as storage: `Tensor::new`"
)]
pub trait StaticCosize:
    Default + Copy + Addressable + FragmentLength<Length = Self::Cosize>
{
    /// One past the largest offset.
    type Cosize: Unroll;
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
#[doc(hidden)]
impl<S, D> StaticCosize for StridedLayout<S, D>
where
    Self: StaticLayout + Addressable + FragmentLength,
{
    type Cosize = <Self as FragmentLength>::Length;
}
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl StaticCosize for RefusedLayout {
    type Cosize = One;
}

/// The length of a fragment of a layout. The type may be named for a layout whose cosize is known
/// only at run time; to make such a fragment is an error, because that needs `StaticCosize`.
#[diagnostic::on_unimplemented(
    message = "there is no fragment with this layout",
    label = "not a layout whose cosize is known at compile time",
    note = "a fragment has a static layout, without a swizzle: `Fragment<f32, Layout!((4, 2))>`"
)]
pub trait FragmentLength {
    type Length: Unroll;
}
impl<S: Nested, D: Nested> FragmentLength for StridedLayout<S, D>
where
    S::Node: LastReach<D::Node, Output: OneMore>,
{
    type Length = <<S::Node as LastReach<D::Node>>::Output as OneMore>::Output;
}
#[diagnostic::do_not_recommend]
impl FragmentLength for RefusedLayout {
    type Length = One;
}

// ---- lengths ------------------------------------------------------------------------------------

/// `Self + 1`, a length. A number known only at run time has a refused layout here; the bound of
/// `StaticCosize` reports it.
pub trait OneMore {
    type Output: Unroll;
}
cases! { OneMore:
    [] UTerm => One;
    [U, B] UInt<U, B> where (Self: AddInt<One, Output: Unroll>) => <Self as AddInt<One>>::Output;
    [N: RunTimeNumber] N => One;
}

/// `sum (s_k - 1) * d_k` of the shape's node `Self` and the stride's node `D`; a `usize` if a
/// number is known only at run time.
pub trait LastReach<D> {
    type Output;
}
cases! { LastReach:
    [] Nil, Nil => Zero;
    [S: LessOne<Output: Times<D>>, D] Leaf<S>, Leaf<D> => <S::Output as Times<D>>::Output;
    [S: Nested<Node: LastReach<D::Node, Output: Plus<ST::Output>>>, ST: LastReach<DT>, D: Nested, DT]
        Cons<S, ST>, Cons<D, DT> => <<S::Node as LastReach<D::Node>>::Output as Plus<ST::Output>>::Output;
}

/// The largest number below the extent `Self`.
pub trait LessOne {
    type Output;
}
cases! { LessOne:
    [] UTerm => UTerm;
    [U, B] UInt<U, B> where (Self: SubInt<One>) => <Self as SubInt<One>>::Output;
    [N: RunTimeNumber] N => usize;
}
