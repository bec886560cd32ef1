//! Storage of static length under a static layout, compared by the types: `cargo check` says if it is too short.
//!
//! ```text
//! sum (s_k - 1) * d_k < length          swizzled: the same, if the offsets are all of 0 .. n, whole blocks of the swizzle
//! ```

use generic_array::GenericArray;
use typenum::{Const, Equal, Greater, Less, ToUInt, UInt, UTerm};

use crate::algebra::inverse::{RightInverse, RightInverseOf};
use crate::algebra::operation;
use crate::composed::{ComposedLayout, KnownSwizzle};
#[cfg(feature = "alloc")]
use crate::dynamic::DynLayout;
use crate::int::{AddInt, False, NotExact, One, SubInt, True, Zero};
use crate::layout::Layout;
use crate::multiple::Multiple;
use crate::number::{Exact, Order, Plus, Quotient, Same, Times, Unknown};
use crate::profile::SizeOf;
use crate::refusal::{DynamicCosize, Explain, Short};
use crate::stand_in::StandIn;
use crate::strided::StridedLayout;
use crate::swizzle::{DynSwizzle, Swizzle};
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
    message = "cannot make a tensor: this storage has no length that the types know",
    label = "`{Self}`: an array is wanted here, a reference to one, or a `GenericArray`",
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
#[diagnostic::on_unimplemented(
    message = "cannot make a tensor: how far the layout reaches is known only at run time",
    label = "`{Self}` is no static layout",
    note = "`Tensor::new` compares storage and layout when it runs"
)]
pub trait EndsWithin<Length> {}
impl<S: Nested, D: Nested, Length> EndsWithin<Length> for StridedLayout<S, D>
where
    S::Node: LastReach<D::Node, Output: Order<Length>>,
    <<S::Node as LastReach<D::Node>>::Output as Order<Length>>::Output:
        IsRoom<<S::Node as LastReach<D::Node>>::Output, Length, operation::Tensor>,
{
}
impl<Length> EndsWithin<Length> for StandIn {}

/// A swizzle moves the offsets of a block, `0 .. 2^(M + B)` and so on, or `0 .. 2^(M + B + |S|)` if it changes higher bits, among themselves. So a layout that leads to all of `0 .. n`, whole blocks,
/// ends where it does without the swizzle. Where any other ends, a constant of the program finds out.
impl<O: SwizzledEnd<F, StridedLayout<S, D>, Length>, F, S, D, Length> EndsWithin<Length>
    for ComposedLayout<O, F, StridedLayout<S, D>>
{
}
impl<O, F, Length> EndsWithin<Length> for ComposedLayout<O, F, StandIn> {}
#[cfg(feature = "alloc")]
impl<O, F, Length> EndsWithin<Length> for ComposedLayout<O, F, DynLayout> {}

/// `self o F o L` ends within `Length` offsets, as far as the types can say.
pub trait SwizzledEnd<F, L, Length> {}
impl<F, L, Length> SwizzledEnd<F, L, Length> for DynSwizzle {}
impl<L, Length, const B: u32, const M: u32, const S: i32> SwizzledEnd<usize, L, Length> for Swizzle<B, M, S> {}
impl<X, L, Length, const B: u32, const M: u32, const S: i32> SwizzledEnd<Multiple<X>, L, Length> for Swizzle<B, M, S> {}
impl<U, A, L, Length, const B: u32, const M: u32, const S: i32> SwizzledEnd<UInt<U, A>, L, Length>
    for Swizzle<B, M, S>
{
}
impl<X, Y, Length, const B: u32, const M: u32, const S: i32> SwizzledEnd<UTerm, StridedLayout<X, Y>, Length>
    for Swizzle<B, M, S>
where
    Self: KnownSwizzle,
    X: Nested<Node: LastReach<Y::Node>>,
    Y: Nested,
    StridedLayout<X, Y>: Filled,
    LastFilled<X, Y>: Same<<X::Node as LastReach<Y::Node>>::Output>,
    <LastFilled<X, Y> as Same<<X::Node as LastReach<Y::Node>>::Output>>::Output:
        IfFilled<<StridedLayout<X, Y> as Filled>::Size, <Self as KnownSwizzle>::Block, StridedLayout<X, Y>, Length>,
{
}

/// A layout that leads to all of `0 .. Size`.
pub trait Filled {
    type Size: LessOne;
}
impl<S, D> Filled for StridedLayout<S, D>
where
    Self: RightInverse<Output: Layout<Shape: Nested<Node: SizeOf<Output: LessOne>>>>,
{
    type Size = <<<RightInverseOf<Self> as Layout>::Shape as Nested>::Node as SizeOf>::Output;
}
type LastFilled<S, D> = <<StridedLayout<S, D> as Filled>::Size as LessOne>::Output;

/// The layout `L` leads to all of `0 .. Size` and to nothing else, if `self`.
pub trait IfFilled<Size, Block, L, Length> {}
impl<Size, Block, L, Length> IfFilled<Size, Block, L, Length> for False {}
impl<Size: Quotient<Block>, Block, L, Length> IfFilled<Size, Block, L, Length> for True where
    Size::Output: IfBlocks<L, Length>
{
}
/// And `0 .. Size` is whole blocks, if `self` is their number.
pub trait IfBlocks<L, Length> {}
impl<L, Length> IfBlocks<L, Length> for NotExact {}
impl<Count, L: EndsWithin<Length>, Length> IfBlocks<L, Length> for Exact<Count> {}

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
