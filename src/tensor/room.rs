//! Storage of static length under a static layout, compared by the types: `cargo check` says if it is too short.
//!
//! ```text
//! sum (s_k - 1) * d_k < length
//! ```

use generic_array::GenericArray;
use typenum::{Const, Equal, Greater, Less, ToUInt, UInt, UTerm};

use crate::algebra::operation;
use crate::composed::ComposedLayout;
use crate::int::{AddInt, One, SubInt, Zero};
use crate::multiple::Multiple;
use crate::number::{Order, Plus, Times, Unknown};
use crate::refusal::{DynamicCosize, Explain, Short};
use crate::stand_in::StandIn;
use crate::strided::StridedLayout;
use crate::tuple::{Cons, Leaf, Nested, Nil};

/// `S: Holds<L>`: storage of static length that has room for the static layout `L`: what [`Tensor::fixed`](crate::Tensor::fixed) asks for.
///
/// `cosize(L) <= length`
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Holds;
/// use static_assertions::{assert_impl_all, assert_not_impl_any};
/// assert_impl_all!([f32; 24]: Holds<Layout!((4, 6))>);
/// assert_not_impl_any!([f32; 23]: Holds<Layout!((4, 6))>);
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot make a tensor: `{Self}` has no length that the types know",
    label = "an array is wanted here, a reference to one, or a `GenericArray`",
    note = "`Tensor::new` takes any storage, and compares it with the layout when it runs; generic code names what it needs as a bound: `S: Holds<L>`"
)]
pub trait Holds<L> {}
impl<S: StaticLength, L: EndsWithin<S::Length>> Holds<L> for S {}

// ---- the length of storage ----------------------------------------------------------------------------------------

/// Storage whose length is part of its type.
pub trait StaticLength {
    /// The length, a static integer.
    type Length;
}
macro_rules! arrays {
    ($([$($life:lifetime)?] $array:ty;)*) => {
        $(impl<$($life,)? T, const N: usize> StaticLength for $array
        where
            (): LengthAsType<N>,
        {
            type Length = <() as LengthAsType<N>>::Output;
        })*
    };
}
arrays! { [] [T; N]; ['a] &'a [T; N]; ['a] &'a mut [T; N]; }
impl<T, N: generic_array::ArrayLength> StaticLength for GenericArray<T, N> {
    type Length = N;
}

/// The static integer of the number `N`, from typenum's table.
#[diagnostic::on_unimplemented(
    message = "cannot make a tensor: {N}, the length of this array, is a number that the types do not know",
    label = "the types know the lengths 0 to 1024, the powers of 2 and of 10, and one less than a power of 2",
    note = "`Tensor::new` takes an array of any length, and compares it with the layout when it runs; a `Fragment` has the length that its layout needs"
)]
pub trait LengthAsType<const N: usize> {
    type Output;
}
#[diagnostic::do_not_recommend]
impl<const N: usize> LengthAsType<N> for ()
where
    Const<N>: ToUInt,
{
    type Output = <Const<N> as ToUInt>::Output;
}

// ---- the end of a layout ------------------------------------------------------------------------------------------

/// The layout ends within `Length` offsets, as far as the types can say. What they cannot say of a swizzled layout, a constant of the
/// program does.
pub trait EndsWithin<Length> {}
impl<S: Nested, D: Nested, Length> EndsWithin<Length> for StridedLayout<S, D>
where
    S::Node: LastReach<D::Node, Output: Order<Length>>,
    <<S::Node as LastReach<D::Node>>::Output as Order<Length>>::Output:
        IsRoom<<S::Node as LastReach<D::Node>>::Output, Length, operation::Tensor>,
{
}
impl<O, F, L, Length> EndsWithin<Length> for ComposedLayout<O, F, L> {}
impl<Length> EndsWithin<Length> for StandIn {}

/// Lets `Less` pass, the order of the last offset and the length, and says so of any other. The operation is named by a parameter: a bound without
/// one is looked at where it is written.
pub trait IsRoom<Last, Length, Op> {}
impl<Last, Length, Op> IsRoom<Last, Length, Op> for Less {}
impl<Last: AddInt<One>, Length, Op> IsRoom<Last, Length, Op> for Equal where Short<Last::Output, Length>: Explain<Op> {}
impl<Last: AddInt<One>, Length, Op> IsRoom<Last, Length, Op> for Greater where Short<Last::Output, Length>: Explain<Op> {}
impl<Last, Length, Op> IsRoom<Last, Length, Op> for Unknown where DynamicCosize: Explain<Op> {}

/// `sum (s_k - 1) * d_k` of the shape's node `self` and the stride's node `D`: a `usize` where a number is known only at run time.
pub trait LastReach<D> {
    type Output;
}
impl LastReach<Nil> for Nil {
    type Output = Zero;
}
impl<S: LessOne<Output: Times<D>>, D> LastReach<Leaf<D>> for Leaf<S> {
    type Output = <S::Output as Times<D>>::Output;
}
impl<S: Nested, ST, D: Nested, DT> LastReach<Cons<D, DT>> for Cons<S, ST>
where
    S::Node: LastReach<D::Node, Output: Plus<<ST as LastReach<DT>>::Output>>,
    ST: LastReach<DT>,
{
    type Output = <<S::Node as LastReach<D::Node>>::Output as Plus<<ST as LastReach<DT>>::Output>>::Output;
}

/// The largest number below the extent `self`.
pub trait LessOne {
    type Output;
}
impl LessOne for UTerm {
    type Output = UTerm;
}
impl<U, B> LessOne for UInt<U, B>
where
    Self: SubInt<One>,
{
    type Output = <Self as SubInt<One>>::Output;
}
impl LessOne for usize {
    type Output = usize;
}
impl<F> LessOne for Multiple<F> {
    type Output = usize;
}
