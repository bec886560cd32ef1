//! `R = complement(L, M)`: `(L, R)` is a bijection onto `[0, M)` once `L`'s stride-0 modes are dropped, and `R`'s strides increase.
//!
//! Sort the modes of `L` by stride. Each leaves a gap to what lies below it: a mode `s:d` above `run` offsets leaves `d/run` copies
//! of them free, `run` apart; then `run = s*d`. Above the last one there are `M/run` copies.

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::by_mode::Apply;
use crate::algebra::coalesce::{IsOne, Merge};
use crate::algebra::modes::{IntoTrees, Mode, ModesOnto};
use crate::algebra::operation::{self, binary};
use crate::error::Fault;
use crate::int::{False, NotExact, One, True};
use crate::int_tuple::Node;
use crate::multiple::Multiple;
use crate::number::{CeilQuotient, Exact, Number, Order, Quotient, Times, Unknown};
use crate::refusal::{DynamicOrder, Gap, Overlap, Span};
use crate::strided::StridedLayout;
use crate::tuple::{Cons, Nested, Nil};
use crate::undefined::{Defined, Undefined};

// ---- sorting ------------------------------------------------------------------------------------------------------

/// The modes `self` that move (extent not 1, stride not 0), strides increasing, those of the same stride in their order. The last mode is
/// put in its place first: most layouts are sorted, and then each mode is compared once.
pub trait Sort {
    type Output;
    fn sort(self) -> Self::Output;
}
impl Sort for Nil {
    type Output = Nil;
    #[inline(always)]
    fn sort(self) -> Nil {
        Nil
    }
}
impl<S, T: Sort> Sort for Cons<Mode<S, UTerm>, T> {
    type Output = T::Output;
    #[inline(always)]
    fn sort(self) -> Self::Output {
        self.tail.sort()
    }
}
macro_rules! sort_moving {
    ($([$($generic:ident)*] $stride:ty;)*) => {
        $(impl<S: IsOne, T: Sort, $($generic),*> Sort for Cons<Mode<S, $stride>, T>
        where
            S::Output: SortMode<S, $stride, T::Output>,
        {
            type Output = <S::Output as SortMode<S, $stride, T::Output>>::Output;
            #[inline(always)]
            fn sort(self) -> Self::Output {
                S::Output::sort_mode(self.head, self.tail.sort())
            }
        })*
    };
}
sort_moving! { [U B] UInt<U, B>; [] usize; [Factor] Multiple<Factor>; }

/// [`Sort`] of a mode whose stride is not 0; `self` says whether its extent is 1.
pub trait SortMode<S, D, Sorted> {
    type Output;
    fn sort_mode(mode: Mode<S, D>, sorted: Sorted) -> Self::Output;
}
impl<S, D, Sorted> SortMode<S, D, Sorted> for True {
    type Output = Sorted;
    #[inline(always)]
    fn sort_mode(_: Mode<S, D>, sorted: Sorted) -> Self::Output {
        sorted
    }
}
impl<S, D, Sorted: Insert<S, D>> SortMode<S, D, Sorted> for False {
    type Output = Sorted::Output;
    #[inline(always)]
    fn sort_mode(mode: Mode<S, D>, sorted: Sorted) -> Self::Output {
        sorted.insert(mode)
    }
}

/// The sorted modes `self` with the mode `S:D` in its place, before those of the same stride.
pub trait Insert<S, D> {
    type Output;
    fn insert(self, mode: Mode<S, D>) -> Self::Output;
}
impl<S, D> Insert<S, D> for Nil {
    type Output = Cons<Mode<S, D>, Nil>;
    #[inline(always)]
    fn insert(self, mode: Mode<S, D>) -> Self::Output {
        Cons { head: mode, tail: Nil }
    }
}
impl<S, D: Order<D1>, S1, D1, T> Insert<S, D> for Cons<Mode<S1, D1>, T>
where
    D::Output: InsertAt<S, D, Self>,
{
    type Output = <D::Output as InsertAt<S, D, Self>>::Output;
    #[inline(always)]
    fn insert(self, mode: Mode<S, D>) -> Self::Output {
        D::Output::insert_at(mode, self)
    }
}
impl<S, D, R> Insert<S, D> for Undefined<R> {
    type Output = Self;
    #[inline(always)]
    fn insert(self, _: Mode<S, D>) -> Self {
        self
    }
}

/// [`Insert`] into the list `Sorted`; `self` is the order of `D` and its first stride.
pub trait InsertAt<S, D, Sorted> {
    type Output;
    fn insert_at(mode: Mode<S, D>, sorted: Sorted) -> Self::Output;
}
macro_rules! insert_before {
    ($($order:ty),*) => {
        $(impl<S, D, Sorted> InsertAt<S, D, Sorted> for $order {
            type Output = Cons<Mode<S, D>, Sorted>;
            #[inline(always)]
            fn insert_at(mode: Mode<S, D>, sorted: Sorted) -> Self::Output {
                Cons { head: mode, tail: sorted }
            }
        })*
    };
}
insert_before!(Less, Equal);
/// Both strides are static, and so are those behind: there is a place for the mode.
impl<S, D, M, T: Insert<S, D>> InsertAt<S, D, Cons<M, T>> for Greater {
    type Output = Cons<M, T::Output>;
    #[inline(always)]
    fn insert_at(mode: Mode<S, D>, sorted: Cons<M, T>) -> Self::Output {
        Cons { head: sorted.head, tail: sorted.tail.insert(mode) }
    }
}
impl<S, D, Sorted> InsertAt<S, D, Sorted> for Unknown {
    type Output = Undefined<DynamicOrder>;
    #[inline(always)]
    fn insert_at(_: Mode<S, D>, _: Sorted) -> Self::Output {
        Undefined::new()
    }
}

/// The mode `M` before the modes `self`, if there are any to have.
pub trait InFront<M> {
    type Output;
    fn in_front(self, mode: M) -> Self::Output;
}
impl<M, H, T> InFront<M> for Cons<H, T> {
    type Output = Cons<M, Self>;
    #[inline(always)]
    fn in_front(self, mode: M) -> Self::Output {
        Cons { head: mode, tail: self }
    }
}
impl<M, R> InFront<M> for Undefined<R> {
    type Output = Self;
    #[inline(always)]
    fn in_front(self, _: M) -> Self {
        self
    }
}

// ---- gaps ---------------------------------------------------------------------------------------------------------

/// How far the range above the last mode goes.
pub trait UpTo<Run>: Range {
    type Output;
    fn copies(self, run: &Run) -> Result<Self::Output, Fault>;
}
/// The range to fill, for what run time has to check.
pub trait Range {
    /// Does the result depend on the span itself, and not only on what it divides?
    const ROUNDS: bool;
    /// How far the range goes.
    fn extent(&self) -> usize;
}
impl<M: Number> Range for Exactly<M> {
    const ROUNDS: bool = false;
    #[inline(always)]
    fn extent(&self) -> usize {
        self.0.get()
    }
}
impl<M: Number> Range for AtLeast<M> {
    const ROUNDS: bool = true;
    #[inline(always)]
    fn extent(&self) -> usize {
        self.0.get()
    }
}
impl Range for Nothing {
    const ROUNDS: bool = true;
    #[inline(always)]
    fn extent(&self) -> usize {
        0
    }
}

/// Up to `M`, exactly.
pub struct Exactly<M>(pub M);
impl<M: Quotient<Run> + Number, Run: Number> UpTo<Run> for Exactly<M>
where
    M::Output: LastGap<M, Run>,
{
    type Output = <M::Output as LastGap<M, Run>>::Output;
    #[inline(always)]
    fn copies(self, run: &Run) -> Result<Self::Output, Fault> {
        let quotient = self.0.quotient(run).ok_or(Fault::Span { extent: self.0.get(), span: run.get() })?;
        Ok(quotient.last_gap(run))
    }
}
/// Up to the next multiple of the run that is at least `M`.
pub struct AtLeast<M>(pub M);
impl<M: CeilQuotient<Run> + Number, Run: Copy + Number> UpTo<Run> for AtLeast<M> {
    type Output = Cons<Mode<M::Output, Run>, Nil>;
    #[inline(always)]
    fn copies(self, run: &Run) -> Result<Self::Output, Fault> {
        let copies = self.0.ceil_quotient(run)?;
        if M::Output::STATIC.is_none() {
            copies.get().checked_mul(run.get()).ok_or(Fault::Overflow)?;
        }
        Ok(Cons { head: Mode { shape: copies, stride: *run }, tail: Nil })
    }
}
/// No range above the last mode: only the run is asked for.
pub struct Nothing;
impl<Run: Copy> UpTo<Run> for Nothing {
    type Output = Spanned<Run>;
    #[inline(always)]
    fn copies(self, run: &Run) -> Result<Self::Output, Fault> {
        Ok(Spanned(*run))
    }
}
/// What all modes together span.
pub struct Spanned<Run>(pub Run);
impl<M, Run> InFront<M> for Spanned<Run> {
    type Output = Self;
    #[inline(always)]
    fn in_front(self, _: M) -> Self {
        self
    }
}

/// The copies above the last mode; `self` is the quotient of `M` and `Run`.
pub trait LastGap<M, Run> {
    type Output;
    fn last_gap(self, run: &Run) -> Self::Output;
}
impl<M, Run: Copy, Q> LastGap<M, Run> for Exact<Q> {
    type Output = Cons<Mode<Q, Run>, Nil>;
    #[inline(always)]
    fn last_gap(self, run: &Run) -> Self::Output {
        Cons { head: Mode { shape: self.0, stride: *run }, tail: Nil }
    }
}
impl<M, Run> LastGap<M, Run> for NotExact {
    type Output = Undefined<Span<M, Run>>;
    #[inline(always)]
    fn last_gap(self, _: &Run) -> Self::Output {
        Undefined::new()
    }
}

/// The gaps of the sorted modes `self` above `Run` offsets: modes, or [`Undefined`].
pub trait Gaps<Run, Top> {
    type Output;
    fn gaps(self, run: Run, top: Top) -> Result<Self::Output, Fault>;
}
impl<Run, Top: UpTo<Run>> Gaps<Run, Top> for Nil {
    type Output = Top::Output;
    #[inline(always)]
    fn gaps(self, run: Run, top: Top) -> Result<Self::Output, Fault> {
        top.copies(&run)
    }
}
impl<R, Run, Top> Gaps<Run, Top> for Undefined<R> {
    type Output = Self;
    #[inline(always)]
    fn gaps(self, _: Run, _: Top) -> Result<Self, Fault> {
        Ok(self)
    }
}
impl<S: Number, D: Quotient<Run> + Number, T, Run: Number, Top: Range> Gaps<Run, Top> for Cons<Mode<S, D>, T>
where
    D::Output: NextGap<S, D, T, Run, Top>,
{
    type Output = <D::Output as NextGap<S, D, T, Run, Top>>::Output;
    #[inline(always)]
    fn gaps(self, run: Run, top: Top) -> Result<Self::Output, Fault> {
        let (extent, stride, below) = (self.head.shape.get(), self.head.stride.get(), run.get());
        if Top::ROUNDS && S::STATIC.is_none() && extent == 1 && stride > below {
            return Err(Fault::Still { extent, stride });
        }
        let quotient = self.head.stride.quotient(&run).filter(|_| stride >= below);
        let quotient = quotient.ok_or(if stride < below {
            Fault::Overlap { extent, stride, below }
        } else {
            Fault::Stride { stride, below }
        })?;
        quotient.next_gap(self.head, self.tail, run, top)
    }
}

/// [`Gaps`]; `self` is the quotient of the stride `D` and `Run`.
pub trait NextGap<S, D, T, Run, Top> {
    type Output;
    fn next_gap(self, mode: Mode<S, D>, tail: T, run: Run, top: Top) -> Result<Self::Output, Fault>;
}
impl<S: Times<D>, D, T: Gaps<S::Output, Top>, Run, Top, Q> NextGap<S, D, T, Run, Top> for Exact<Q>
where
    T::Output: InFront<Mode<Q, Run>>,
{
    type Output = <T::Output as InFront<Mode<Q, Run>>>::Output;
    #[inline(always)]
    fn next_gap(self, mode: Mode<S, D>, tail: T, run: Run, top: Top) -> Result<Self::Output, Fault> {
        let above = mode.shape.times(&mode.stride)?;
        Ok(tail.gaps(above, top)?.in_front(Mode { shape: self.0, stride: run }))
    }
}
impl<S, D: Order<Run>, T, Run, Top> NextGap<S, D, T, Run, Top> for NotExact
where
    D::Output: NoGap<S, D, Run>,
{
    type Output = <D::Output as NoGap<S, D, Run>>::Output;
    #[inline(always)]
    fn next_gap(self, _: Mode<S, D>, _: T, _: Run, _: Top) -> Result<Self::Output, Fault> {
        Ok(D::Output::no_gap())
    }
}

/// Why there is no gap; `self` is the order of the stride and `Run`.
pub trait NoGap<S, D, Run> {
    type Output;
    fn no_gap() -> Self::Output;
}
impl<S, D, Run> NoGap<S, D, Run> for Less {
    type Output = Undefined<Overlap<S, D, Run>>;
    #[inline(always)]
    fn no_gap() -> Self::Output {
        Undefined::new()
    }
}
impl<S, D, Run> NoGap<S, D, Run> for Greater {
    type Output = Undefined<Gap<D, Run>>;
    #[inline(always)]
    fn no_gap() -> Self::Output {
        Undefined::new()
    }
}

// ---- the complement -----------------------------------------------------------------------------------------------

/// The complement of the shape `self` and the stride `D`, both nodes, up to `Top`: [`Defined`] or [`Undefined`].
pub trait ComplementNode<D, Top> {
    type Output;
    fn complement_node(self, stride: D, top: Top) -> Result<Self::Output, Fault>;
}
impl<S: Node, D, Top: Range> ComplementNode<D, Top> for S
where
    S: ModesOnto<D, Nil, Output: Sort<Output: Gaps<One, Top, Output: Close>>>,
{
    type Output = <<<S::Output as Sort>::Output as Gaps<One, Top>>::Output as Close>::Output;
    #[inline(always)]
    fn complement_node(self, stride: D, top: Top) -> Result<Self::Output, Fault> {
        if self.product() == Some(0) {
            return Err(Fault::Span { extent: top.extent(), span: 0 });
        }
        self.modes_onto(stride, Nil).sort().gaps(One::default(), top)?.close()
    }
}

/// The gaps merged, as a shape and a stride.
pub trait Close {
    type Output;
    fn close(self) -> Result<Self::Output, Fault>;
}
impl<H, T> Close for Cons<H, T>
where
    Self: Merge<Output: IntoTrees>,
{
    type Output =
        Defined<<<Self as Merge>::Output as IntoTrees>::Shape, <<Self as Merge>::Output as IntoTrees>::Stride>;
    #[inline(always)]
    fn close(self) -> Result<Self::Output, Fault> {
        let (shape, stride) = self.merge()?.into_trees();
        Ok(Defined { shape, stride })
    }
}
impl<R> Close for Undefined<R> {
    type Output = Self;
    #[inline(always)]
    fn close(self) -> Result<Self, Fault> {
        Ok(self)
    }
}
impl<Run> Close for Spanned<Run> {
    type Output = Self;
    #[inline(always)]
    fn close(self) -> Result<Self, Fault> {
        Ok(self)
    }
}

binary! {
    /// `L: Complement<M>`: the complement of `L` in the range `M` exists. CuTe's `complement`.
    ///
    /// `(L, complement(L, M))` is a bijection onto `[0, M)`, once the stride-0 modes of `L` are dropped.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::{assert_not_impl_any, assert_type_eq_all};
    /// assert_type_eq_all!(ComplementOf<Layout!((2, 4):(1, 2)), Int!(16)>, Layout!(2:8));
    /// assert_type_eq_all!(ComplementOf<Layout!(8:2), Int!(32)>, Layout!((2, 2):(1, 16)));
    /// assert_not_impl_any!(Layout!(8:2): Complement<Int!(33)>);
    /// ```
    #[diagnostic::on_unimplemented(
        message = "cannot take the complement: nothing says that this layout can",
        label = "`{Self}` is not known to have this operation",
        note = "generic code names what it needs as a bound: `L: Complement<M>`"
    )]
    trait Complement;
    /// The type of the complement of `A` in the range `B`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(ComplementOf<Layout!(4:2), Int!(24)>, Layout!((2, 3):(1, 8)));
    /// ```
    type ComplementOf;
}
binary! {
    /// `L: ComplementCeil<M>`: [`Complement`] in the range `M` rounded up to a multiple of what `L` spans, which is what CuTe's `complement` does
    /// without being asked.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(ComplementCeilOf<Layout!(4:1), Int!(13)>, ComplementOf<Layout!(4:1), Int!(16)>);
    /// ```
    #[diagnostic::on_unimplemented(
        message = "cannot take the complement: nothing says that this layout can",
        label = "`{Self}` is not known to have this operation",
        note = "generic code names what it needs as a bound: `L: ComplementCeil<M>`"
    )]
    trait ComplementCeil;
    /// The type of the complement of `A` in the range `B`, rounded up.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(ComplementCeilOf<Layout!(4:2), Int!(20)>, Layout!((2, 3):(1, 8)));
    /// ```
    type ComplementCeilOf;
}

/// The right operand is the range, a number.
macro_rules! ranges {
    ($operation:ident, $top:ident: $([$($generic:ident)*] $number:ty;)*) => {
        $(impl<S: Nested, D: Nested, $($generic),*> Apply<operation::$operation, StridedLayout<S, D>> for $number
        where
            S::Node: ComplementNode<D::Node, $top<Self>>,
        {
            type Output = <S::Node as ComplementNode<D::Node, $top<Self>>>::Output;
            #[inline(always)]
            fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
                let (shape, stride) = left.into_parts();
                shape.node().complement_node(stride.node(), $top(self))
            }
        })*
    };
}
ranges! { Complement, Exactly: [] UTerm; [U B] UInt<U, B>; [] usize; [Factor] Multiple<Factor>; }
ranges! { ComplementCeil, AtLeast: [] UTerm; [U B] UInt<U, B>; [] usize; [Factor] Multiple<Factor>; }
