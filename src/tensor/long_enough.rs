//! Storage of static length under a static layout, compared by the types: `cargo check` says if it is too short.
//!
//! ```text
//! sum (s_k - 1) * d_k < length          swizzled: to the end of the swizzle's block
//! ```

use generic_array::GenericArray;
use typenum::{Const, Equal, Greater, Less, ToUInt};

use crate::algebra::operation;
use crate::composed::{ComposedLayout, KnownSwizzle};
use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Leaf, Nested, Nil, TreeOf, Untangle};
use crate::number::int::{AddInt, False, One, True, Zero};
use crate::number::table::{Order, Plus, RoundTo, Same, Times, Unknown};
use crate::refusal::{DynamicCosize, Explain, Short, ShortOfBlocks};
use crate::stepped::layout::SignedLayout;
use crate::swizzle::Swizzle;
use crate::tensor::injective::{Forwards, LessOne};

/// `S: Holds<L>`: storage of static length that has room for the static layout `L`: what
/// [`Tensor::fixed`](crate::Tensor::fixed) asks for.
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
    note = "`Tensor::new` takes any storage, and compares it with the layout when it runs; generic code names what it \
            needs as a bound: `S: Holds<L>`"
)]
pub trait Holds<L> {}
#[doc(hidden)]
impl<S: StaticLength, L: EndsWithin<S::Length>> Holds<L> for S {}

// ---- the length of storage ----------------------------------------------------------------------------------------

/// Storage whose length is part of its type.
pub trait StaticLength {
    /// The length, a static integer.
    type Length;
}
macro_rules! lengths_of_arrays {
    ($([$($life:lifetime)?] $array:ty;)*) => {
        $(impl<$($life,)? T, const N: usize> StaticLength for $array
        where
            (): LengthAsType<N>,
        {
            type Length = <() as LengthAsType<N>>::Output;
        })*
    };
}
lengths_of_arrays! { [] [T; N]; ['a] &'a [T; N]; ['a] &'a mut [T; N]; }
impl<T, N: generic_array::ArrayLength> StaticLength for GenericArray<T, N> {
    type Length = N;
}

/// The static integer of the number `N`, from typenum's table.
#[diagnostic::on_unimplemented(
    message = "cannot make a tensor: {N}, the length of this array, is a number that the types do not know",
    label = "the types know the lengths 0 to 1024, the powers of 2 and of 10, and one less than a power of 2",
    note = "`Tensor::new` takes an array of any length, and compares it with the layout when it runs; a `Fragment` \
            has the length that its layout needs"
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

/// The layout ends within `Length` offsets.
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
        IsLongEnough<<S::Node as LastReach<D::Node>>::Output, Length, operation::Tensor>,
{
}
impl<Length> EndsWithin<Length> for StandIn {}

/// A swizzle moves the offsets of a block, `0 .. 2^(M + B)` and so on, or `0 .. 2^(M + B + |S|)` if it changes higher
/// bits, among themselves. So a layout ends within the block in which it ends without the swizzle. Room for whole
/// blocks is asked for: where in the last one it ends, the types do not say.
impl<O: SwizzledEnd<F, StridedLayout<S, D>, Length>, F, S, D, Length> EndsWithin<Length>
    for ComposedLayout<O, F, StridedLayout<S, D>>
{
}
impl<O, F, Length> EndsWithin<Length> for ComposedLayout<O, F, StandIn> {}
/// Moved by its base, a layout with negative strides has the offsets of the one without signs.
impl<S, D: Nested<Node: Forwards<Output: Untangle>>, Length> EndsWithin<Length> for SignedLayout<S, D> where
    StridedLayout<S, TreeOf<<D::Node as Forwards>::Output>>: EndsWithin<Length>
{
}
/// `self o F o L` ends within `Length` offsets.
#[diagnostic::on_unimplemented(
    message = "cannot make a tensor: how far the layout reaches is known only at run time",
    label = "`{Self}` is not a `Swizzle` that the types know",
    note = "`Tensor::new` compares storage and layout when it runs"
)]
pub trait SwizzledEnd<F, L, Length> {}
impl<F, X, Y, Length, const B: u32, const M: u32, const S: i32> SwizzledEnd<F, StridedLayout<X, Y>, Length>
    for Swizzle<B, M, S>
where
    Self: KnownSwizzle,
    X: Nested<Node: LastReach<Y::Node, Output: Plus<F, Output: Plus<One>>>>,
    Y: Nested,
    EndOffset<X, Y, F>: RoundTo<<Self as KnownSwizzle>::Block, Output: Order<Length>>,
    <EndOfBlock<X, Y, F, Self> as Order<Length>>::Output:
        HoldsWholeBlocks<EndOffset<X, Y, F>, EndOfBlock<X, Y, F, Self>, Length, operation::Tensor>,
{
}
/// One past the last offset without the swizzle.
type EndOffset<S, D, F> =
    <<<<S as Nested>::Node as LastReach<<D as Nested>::Node>>::Output as Plus<F>>::Output as Plus<One>>::Output;
/// The same, at the end of a block.
type EndOfBlock<S, D, F, Sw> = <EndOffset<S, D, F> as RoundTo<<Sw as KnownSwizzle>::Block>>::Output;

/// Lets `Less` and `Equal` pass, the order of the end of the last block and the length. Of any other it says how far
/// the layout reaches, which is known where its end is that of a block.
pub trait HoldsWholeBlocks<EndOffset, Blocks, Length, Op> {}
impl<E, Blocks, Length, Op> HoldsWholeBlocks<E, Blocks, Length, Op> for Less {}
impl<E, Blocks, Length, Op> HoldsWholeBlocks<E, Blocks, Length, Op> for Equal {}
impl<E: Same<Blocks, Output: IsShort<Blocks, Length, Op>>, Blocks, Length, Op> HoldsWholeBlocks<E, Blocks, Length, Op>
    for Greater
{
}
impl<E, Blocks, Length, Op> HoldsWholeBlocks<E, Blocks, Length, Op> for Unknown where DynamicCosize: Explain<Op> {}
/// Too short: does the layout end with a block?
pub trait IsShort<Blocks, Length, Op> {}
impl<Blocks, Length, Op> IsShort<Blocks, Length, Op> for True where Short<Blocks, Length>: Explain<Op> {}
impl<Blocks, Length, Op> IsShort<Blocks, Length, Op> for False where ShortOfBlocks<Blocks, Length>: Explain<Op> {}

/// Lets `Less` pass, the order of the last offset and the length, and says so of any other. The operation is named by a
/// parameter: a bound without one is looked at where it is written.
pub trait IsLongEnough<Last, Length, Op> {}
impl<Last, Length, Op> IsLongEnough<Last, Length, Op> for Less {}
impl<Last: AddInt<One>, Length, Op> IsLongEnough<Last, Length, Op> for Equal where
    Short<Last::Output, Length>: Explain<Op>
{
}
impl<Last: AddInt<One>, Length, Op> IsLongEnough<Last, Length, Op> for Greater where
    Short<Last::Output, Length>: Explain<Op>
{
}
impl<Last, Length, Op> IsLongEnough<Last, Length, Op> for Unknown where DynamicCosize: Explain<Op> {}

/// `sum (s_k - 1) * d_k` of the shape's node `self` and the stride's node `D`: a `usize` where a
/// number is known only at run time.
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
