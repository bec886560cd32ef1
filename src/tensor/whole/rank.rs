//! The rank of a shape, as compiler messages name it.

use crate::composed::{ComposedLayout, Unswizzled};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::number::show::N;
use crate::number::table::Number;
use crate::strides::layout::SignedLayout;
use crate::tensor::memory::Addressable;

/// A shape whose rank is asked for.
pub trait Ranked {
    /// The rank `K` as `N<K>`.
    type Rank;
}
macro_rules! tuples {
    ($($Item:ident $item:ident)+) => {
        impl<$($Item),+> Ranked for ($($Item,)+) {
            type Rank = N<{ [$(stringify!($item)),+].len() as u64 }>;
        }
    };
}
each_arity!(tuples);
impl<T: Number> Ranked for T {
    type Rank = N<1>;
}

/// A layout whose rank is asked for.
#[diagnostic::on_unimplemented(
    message = "cannot multiply: `gemm` takes tensors of layouts without a swizzle, and this one's is another",
    label = "neither a strided layout nor one with negative strides",
    note = "copy a swizzled tensor into a fragment first: `fragment_like`, `copy_from`; a `DynLayout` knows its rank \
            only at run time"
)]
pub trait RankedLayout: Addressable {
    /// `N<K>`, or [`RejectedRank`].
    type Rank;
}
impl<S: Ranked, D> RankedLayout for StridedLayout<S, D>
where
    Self: Addressable,
{
    type Rank = S::Rank;
}
/// A layout that is moved, and not swizzled.
impl<F, S: Ranked, D> RankedLayout for ComposedLayout<Unswizzled, F, SignedLayout<S, D>>
where
    Self: Addressable,
{
    type Rank = S::Rank;
}
#[diagnostic::do_not_recommend]
impl RankedLayout for RefusedLayout {
    type Rank = RejectedRank;
}
/// Stands in place of a rank: the layout was rejected, and that is the mistake.
pub struct RejectedRank;

/// The ranks of three layouts.
pub type AllRanks<A, B, C> = <<A as RankedLayout>::Rank as RanksOfThree<
    <B as RankedLayout>::Rank,
    <C as RankedLayout>::Rank,
>>::Output;

/// The ranks `Self`, `J` and `K` together: [`Ranks`], or [`RejectedRank`] if one of them is. No
/// bound here can fail: as long as rustc does not know one of the layouts, it would take the only
/// impl left for the answer.
pub trait RanksOfThree<J, K> {
    type Output;
}
/// The ranks of a product's factors and of its sum.
pub struct Ranks<const I: u64, const J: u64, const K: u64>;
impl<const I: u64, const J: u64, const K: u64> RanksOfThree<N<J>, N<K>> for N<I> {
    type Output = Ranks<I, J, K>;
}
impl<J, K> RanksOfThree<J, K> for RejectedRank {
    type Output = RejectedRank;
}
impl<const I: u64, K> RanksOfThree<RejectedRank, K> for N<I> {
    type Output = RejectedRank;
}
impl<const I: u64, const J: u64> RanksOfThree<N<J>, RejectedRank> for N<I> {
    type Output = RejectedRank;
}
