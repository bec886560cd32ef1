//! Slices of a swizzled layout, which are plain where the kept coordinates change no bit of the
//! swizzle.
//!
//! ```text
//! Sw(base + x) = Sw(base) + x
//!         if x is a multiple of what lies above the swizzle, plus less than 2^M that does not
//!                               carry out of the M bits below it
//! ```
//!
//! The types decide this: `base` is a multiple of `2^M` if the strides of all fixed modes are.
//! Where the types do not know, the slice is a composed layout that begins at the new offset.

use core::ops::Add;

use typenum::{Equal, Greater, Less, UInt, UTerm};

use super::ComposedLayout;
use super::outer::{InnerLayout, KnownSwizzle, OffsetMap};
use crate::algebra::modes::slice::{Slice, Sliced};
use crate::error::LayoutError;
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::{Cons, Leaf, Nested, Nil, Whole};
use crate::number::int::{
    AddInt, And, False, MulInt, NotExact, One, Order, QuotientInt, SubInt, True,
};
use crate::number::multiple::Multiple;
use crate::number::table::{Number, RunTimeNumber};
use crate::swizzle::{DynSwizzle, Swizzle};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::interval::{Interval, Window};

impl<O, F: Number, S: IntTuple, D: IntTuple, C: Clone> Slice<C>
    for ComposedLayout<O, F, StridedLayout<S, D>>
where
    O: OffsetMap + SliceThrough<F, S, D, C, Sliced<StridedLayout<S, D>, C>>,
    StridedLayout<S, D>: Slice<C, Output: InnerLayout> + Layout<Offset = usize>,
{
    type Output = <O as SliceThrough<F, S, D, C, Sliced<StridedLayout<S, D>, C>>>::Output;
    #[inline(always)]
    fn sliced(layout: Self, coordinate: C) -> (Self::Output, usize) {
        let (outer, offset, inner) = layout.into_parts();
        let (rest, fixed) = Slice::sliced(inner, coordinate);
        outer.slice_through(offset.get().add(fixed), rest)
    }
    #[inline(always)]
    fn try_sliced(layout: Self, coordinate: C) -> Result<(Self::Output, usize), LayoutError> {
        match Slice::try_kept(layout.inner(), coordinate.clone()) {
            Ok(_) => Ok(Self::sliced(layout, coordinate)),
            Err(error) => Err(LayoutError::new("slice", error.fault()).with_operand(&layout)),
        }
    }
}

/// The slice `C` of `S:D`, which is `R` from `base` on, under the function `self` of offsets.
pub trait SliceThrough<F, S, D, C, R> {
    type Output: Layout<Offset = usize>;
    fn slice_through(self, base: usize, rest: R) -> (Self::Output, usize);
}

// Functions that the types do not know well enough.
cases! { SliceThrough::slice_through -> (Self::Output, usize), for {
    [] DynSwizzle; [S1 D1] StridedLayout<S1, D1>; [A B] super::Chain<A, B>;
}:
    [F, S, D, C, R: InnerLayout] Self, F, S, D, C, R where (Self: OffsetMap) => ComposedLayout<Self, usize, R>,
        (self, base: usize, rest: R) => (ComposedLayout::const_new(self, base, rest), 0);
}

impl<const B: u32, const M: u32, const W: i32, F, S, D, C, RS, RD>
    SliceThrough<F, S, D, C, StridedLayout<RS, RD>> for Swizzle<B, M, W>
where
    Self: KnownSwizzle,
    RS: Nested<Node: LowReach<RD::Node, <Self as KnownSwizzle>::Top>>,
    RD: Nested,
    C: Nested<Node: FixesUnits<D, <Self as KnownSwizzle>::Unit>>,
    F: IsMultipleOf<<Self as KnownSwizzle>::Unit>,
    <RS::Node as LowReach<RD::Node, <Self as KnownSwizzle>::Top>>::Output: Untouched<
            <F as IsMultipleOf<<Self as KnownSwizzle>::Unit>>::Output,
            <C::Node as FixesUnits<D, <Self as KnownSwizzle>::Unit>>::Output,
            <Self as KnownSwizzle>::Unit,
            Output: SliceForm<Self, StridedLayout<RS, RD>>,
        >,
{
    type Output =
        <<<RS::Node as LowReach<RD::Node, <Self as KnownSwizzle>::Top>>::Output as Untouched<
            <F as IsMultipleOf<<Self as KnownSwizzle>::Unit>>::Output,
            <C::Node as FixesUnits<D, <Self as KnownSwizzle>::Unit>>::Output,
            <Self as KnownSwizzle>::Unit,
        >>::Output as SliceForm<Self, StridedLayout<RS, RD>>>::Output;
    #[inline(always)]
    fn slice_through(self, base: usize, rest: StridedLayout<RS, RD>) -> (Self::Output, usize) {
        <<<RS::Node as LowReach<RD::Node, <Self as KnownSwizzle>::Top>>::Output as Untouched<
            <F as IsMultipleOf<<Self as KnownSwizzle>::Unit>>::Output,
            <C::Node as FixesUnits<D, <Self as KnownSwizzle>::Unit>>::Output,
            <Self as KnownSwizzle>::Unit,
        >>::Output>::plain_if(self, base, rest)
    }
}

/// A refused slice.
#[diagnostic::do_not_recommend]
impl<const B: u32, const M: u32, const W: i32, F, S, D, C> SliceThrough<F, S, D, C, RefusedLayout>
    for Swizzle<B, M, W>
{
    type Output = RefusedLayout;
    fn slice_through(self, base: usize, rest: RefusedLayout) -> (RefusedLayout, usize) {
        (rest, base)
    }
}

/// The slice: plain if `self` is `True`.
pub trait SliceForm<O, R> {
    type Output: Layout<Offset = usize>;
    fn plain_if(outer: O, base: usize, rest: R) -> (Self::Output, usize);
}
cases! { SliceForm::plain_if -> (Self::Output, usize):
    [O: OffsetMap, R: InnerLayout<Offset = usize>] True, O, R => R, (outer: O, base: usize, rest: R) => (rest, outer.map(base));
    [O: OffsetMap, R: InnerLayout] False, O, R => ComposedLayout<O, usize, R>,
        (outer: O, base: usize, rest: R) => (ComposedLayout::const_new(outer, base, rest), 0);
}

/// Do the kept coordinates leave all bits of the swizzle as they are? `self` is the reach of the
/// modes without those above the swizzle; the parameters say whether the offset and the fixed modes
/// are whole units.
pub trait Untouched<OffsetInUnits, FixedInUnits, Unit> {
    type Output;
}
cases! { Untouched:
    [F, C, Unit] Open, F, C, Unit => False;
    [F, C, Unit] UTerm, F, C, Unit => True;
    [U, B, Unit] UInt<U, B>, True, True, Unit where (Self: Order<Unit, Output: IsLess>)
        => <<Self as Order<Unit>>::Output as IsLess>::Output;
}
macro_rules! touched {
    ($($offset:ident $fixed:ident;)*) => {
        $(impl<U, B, Unit> Untouched<$offset, $fixed, Unit> for UInt<U, B> {
            type Output = False;
        })*
    };
}
touched! { True False; False True; False False; }

/// Is this order [`Less`]?
pub trait IsLess {
    type Output;
}
cases! { IsLess:
    [] Less => True;
    [] Equal => False;
    [] Greater => False;
}

// ---- how far the modes reach below a power of two -----------------------------------------------

/// A reach that the types do not know.
pub struct Open;

/// `sum (extent - 1) * stride` over the modes `self:D` whose strides are no multiples of `Top`;
/// [`Open`] if one of them is dynamic.
pub trait LowReach<D, Top> {
    type Output;
}
cases! { LowReach:
    [Top] Nil, Nil, Top => UTerm;
    [S, D: LowMode<S, Top>, Top] Leaf<S>, Leaf<D>, Top => D::Output;
    [H, T, I, U, Top] Cons<H, T>, Cons<I, U>, Top
        where (
            H: Nested<Node: LowReach<I::Node, Top>>,
            I: Nested,
            T: LowReach<U, Top>,
            <H::Node as LowReach<I::Node, Top>>::Output: Together<T::Output>,
        ) => <<H::Node as LowReach<I::Node, Top>>::Output as Together<T::Output>>::Output;
}

/// The sum of two reaches.
pub trait Together<R> {
    type Output;
}
cases! { Together:
    [R] Open, R => Open;
    [] UTerm, Open => Open;
    [U, B] UInt<U, B>, Open => Open;
    [] UTerm, UTerm where (Self: AddInt<UTerm>) => <Self as AddInt<UTerm>>::Output;
    [U, B] UTerm, UInt<U, B> where (Self: AddInt<UInt<U, B>>) => <Self as AddInt<UInt<U, B>>>::Output;
    [U, B] UInt<U, B>, UTerm where (Self: AddInt<UTerm>) => <Self as AddInt<UTerm>>::Output;
    [U, B, V, C] UInt<U, B>, UInt<V, C> where (Self: AddInt<UInt<V, C>>) => <Self as AddInt<UInt<V, C>>>::Output;
}

/// [`LowReach`] of one mode `S:self`.
pub trait LowMode<S, Top> {
    type Output;
}
cases! { LowMode:
    [N: RunTimeNumber, S, Top] N, S, Top => Open;
    [S, Top] UTerm, S, Top => UTerm;
    [U, B, S, Top] UInt<U, B>, S, Top where (Self: QuotientInt<Top, Output: LowPart<S, Self>>)
        => <<Self as QuotientInt<Top>>::Output as LowPart<S, Self>>::Output;
}

/// 0 if `self` is a quotient, else the reach of `S:D`.
pub trait LowPart<S, D> {
    type Output;
}
cases! { LowPart:
    [S, D] UTerm, S, D => UTerm;
    [S, D, U, B] UInt<U, B>, S, D => UTerm;
    [S: StepsOf<D>, D] NotExact, S, D => S::Output;
}

/// `(self - 1) * D`
pub trait StepsOf<D> {
    type Output;
}
cases! { StepsOf:
    [N: RunTimeNumber, D] N, D => Open;
    [D] UTerm, D => Open;
    [U, B, D] UInt<U, B>, D where (Self: SubInt<One, Output: MulInt<D>>)
        => <<Self as SubInt<One>>::Output as MulInt<D>>::Output;
}

// ---- whole units --------------------------------------------------------------------------------

/// Is the number known to be a multiple of `Unit`?
pub trait IsMultipleOf<Unit> {
    type Output;
}
cases! { IsMultipleOf:
    [Unit] UTerm, Unit => True;
    [Unit] usize, Unit => False;
    [N: IsMultipleOf<Unit>, Unit] Multiple<N>, Unit => N::Output;
    [U, B, Unit] UInt<U, B>, Unit where (Self: QuotientInt<Unit, Output: IsExact>)
        => <<Self as QuotientInt<Unit>>::Output as IsExact>::Output;
}

/// Is there a quotient?
pub trait IsExact {
    type Output;
}
cases! { IsExact:
    [] UTerm => True;
    [U, B] UInt<U, B> => True;
    [] NotExact => False;
}

/// Are the strides of all modes that the coordinate `self` fixes in the tree `D` multiples of
/// `Unit`?
pub trait FixesUnits<D, Unit> {
    type Output;
}
cases! { FixesUnits:
    [D, Unit] Whole, D, Unit => True;
    [N, D: Nested<Node: AllUnits<Unit>>, Unit] Leaf<N>, D, Unit => <D::Node as AllUnits<Unit>>::Output;
    [H, T, D: Nested, Unit] Cons<H, T>, D, Unit where (Self: EachFixesUnits<D::Node, Unit>)
        => <Self as EachFixesUnits<D::Node, Unit>>::Output;
}

/// A range begins at a number of its mode.
impl<D: Nested<Node: AllUnits<Unit>>, Unit> FixesUnits<D, Unit> for Interval {
    type Output = <D::Node as AllUnits<Unit>>::Output;
}
impl<C, W, D: Nested<Node: AllUnits<Unit>>, Unit> FixesUnits<D, Unit> for Window<C, W> {
    type Output = <D::Node as AllUnits<Unit>>::Output;
}

/// [`FixesUnits`] for each item of a list.
pub trait EachFixesUnits<D, Unit> {
    type Output;
}
cases! { EachFixesUnits:
    [D, Unit] Nil, D, Unit => True;
    [H, T, D, DT, Unit] Cons<H, T>, Cons<D, DT>, Unit
        where (
            H: Nested<Node: FixesUnits<D, Unit>>,
            T: EachFixesUnits<DT, Unit>,
            <H::Node as FixesUnits<D, Unit>>::Output: And<T::Output>,
        ) => <<H::Node as FixesUnits<D, Unit>>::Output as And<T::Output>>::Output;
}

/// Are all numbers of the node multiples of `Unit`?
pub trait AllUnits<Unit> {
    type Output;
}
cases! { AllUnits:
    [Unit] Nil, Unit => True;
    [N: IsMultipleOf<Unit>, Unit] Leaf<N>, Unit => N::Output;
    [H: Nested<Node: AllUnits<Unit>>, T: AllUnits<Unit>, Unit] Cons<H, T>, Unit
        where (<H::Node as AllUnits<Unit>>::Output: And<T::Output>)
        => <<H::Node as AllUnits<Unit>>::Output as And<T::Output>>::Output;
}
