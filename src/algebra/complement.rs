//! `R = complement(L, M)`: `(L, R)` is a bijection onto `[0, M)` once `L`'s stride-0 modes are
//! dropped, and `R`'s strides increase.
//!
//! Sort the modes of `L` by stride. Each mode leaves a gap below itself: a mode `s:d` above `run`
//! offsets leaves room for `d/run` copies of them, `run` apart; then `run = s*d`. Above the last
//! mode there are `M/run` copies.

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::coalesce::Merging;
use crate::algebra::mode::{Mode, ModesOnto, Push};
use crate::algebra::operation;
use crate::algebra::outcome::Apply;
use crate::algebra::trees::IntoResult;
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Nil};
use crate::number::int::{NotExact, One};
use crate::number::multiple::Multiple;
use crate::number::quotient::{CeilQuotient, Exact, Quotient};
use crate::number::table::{Number, Order, Times, Unknown};
use crate::reasons::undefined::Undefined;
use crate::reasons::{DynamicOrder, Gap, Overlap, Span};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::Node;

// ---- sorting ------------------------------------------------------------------------------------

/// The strategy that sorts modes by stride and drops those that do not move (extent 1, or stride
/// 0). Modes of equal stride keep their order. The last mode is inserted first: most layouts are
/// sorted already, and then each mode is compared once.
pub struct Sorting;
impl<L, D> Push<Sorting, One, D> for L {
    type Output = Self;
    #[inline]
    fn push(self, _: Mode<One, D>) -> Result<Self, Fault> {
        Ok(self)
    }
}
/// Extents above 1. Each kind has impls of its own: a test of every extent against 1 costs more to
/// compile.
macro_rules! sorting {
    ($([$($generic:ident)*] $extent:ty;)*) => {
        $(impl<L, $($generic),*> Push<Sorting, $extent, UTerm> for L {
            type Output = Self;
            #[inline]
            fn push(self, _: Mode<$extent, UTerm>) -> Result<Self, Fault> {
                Ok(self)
            }
        }
        sorting! { @moving [$($generic)* V C] $extent, UInt<V, C> }
        sorting! { @moving [$($generic)*] $extent, usize }
        sorting! { @moving [$($generic)* Factor] $extent, Multiple<Factor> })*
    };
    (@moving [$($generic:ident)*] $extent:ty, $stride:ty) => {
        impl<$($generic),*> Push<Sorting, $extent, $stride> for Nil {
            type Output = Cons<Mode<$extent, $stride>, Nil>;
            #[inline]
            fn push(self, mode: Mode<$extent, $stride>) -> Result<Self::Output, Fault> {
                Ok(Cons { head: mode, tail: Nil })
            }
        }
        impl<S1, D1, T, $($generic),*> Push<Sorting, $extent, $stride> for Cons<Mode<S1, D1>, T>
        where
            $stride: Order<D1, Output: InsertAt<$extent, $stride, Self>>,
        {
            type Output = <<$stride as Order<D1>>::Output as InsertAt<$extent, $stride, Self>>::Output;
            #[inline]
            fn push(self, mode: Mode<$extent, $stride>) -> Result<Self::Output, Fault> {
                <$stride as Order<D1>>::Output::insert_at(mode, self)
            }
        }
        impl<R, $($generic),*> Push<Sorting, $extent, $stride> for Undefined<R> {
            type Output = Self;
            #[inline]
            fn push(self, _: Mode<$extent, $stride>) -> Result<Self, Fault> {
                Ok(self)
            }
        }
    };
}
pub(crate) use sorting;
sorting! { [] UTerm; [U A B] UInt<UInt<U, A>, B>; [] usize; [K] Multiple<K>; }

/// A list of modes, sorted.
pub trait Sort {
    type Output;
    fn sort(self) -> Result<Self::Output, Fault>;
}
cases! { Sort::sort -> Result<Self::Output, Fault>:
    [] Nil => Nil, (self) => Ok(Nil);
    [S, D, T: Sort<Output: Push<Sorting, S, D>>] Cons<Mode<S, D>, T> => <T::Output as Push<Sorting, S, D>>::Output,
        (self) => self.tail.sort()?.push(self.head);
}

/// Inserts the mode `S:D` into the list `Sorted`; `self` is the order of `D` and the first stride
/// of the list.
pub trait InsertAt<S, D, Sorted> {
    type Output;
    fn insert_at(mode: Mode<S, D>, sorted: Sorted) -> Result<Self::Output, Fault>;
}
macro_rules! insert_before {
    ($($order:ty),*) => {
        $(impl<S, D, Sorted> InsertAt<S, D, Sorted> for $order {
            type Output = Cons<Mode<S, D>, Sorted>;
            #[inline]
            fn insert_at(mode: Mode<S, D>, sorted: Sorted) -> Result<Self::Output, Fault> {
                Ok(Cons { head: mode, tail: sorted })
            }
        })*
    };
}
insert_before!(Less, Equal);
// All strides are static, so the mode has a known place.
cases! { InsertAt::insert_at -> Result<Self::Output, Fault>:
    [S, D, M, T: Push<Sorting, S, D>] Greater, S, D, Cons<M, T> => Cons<M, T::Output>,
        (mode: Mode<S, D>, sorted: Cons<M, T>) => Ok(Cons { head: sorted.head, tail: sorted.tail.push(mode)? });
    [S, D, Sorted] Unknown, S, D, Sorted => Undefined<DynamicOrder>, (_: Mode<S, D>, _: Sorted) => Ok(Undefined::new());
}

// ---- gaps ---------------------------------------------------------------------------------------

/// The upper end of the range above the last mode.
pub trait UpTo<Run>: Range {
    type Output;
    fn copies(self, run: &Run) -> Result<Self::Output, Fault>;
}
/// The range to fill, as run time checks it.
pub trait Range {
    /// Does the result depend on the span itself, and not only on what the span divides?
    const ROUNDS: bool;
    /// May the range end anywhere within the last copy? Then one copy is enough for a span beyond
    /// the range.
    const ENDS_ANYWHERE: bool = false;
    /// The end of the range.
    fn extent(&self) -> usize;
    /// Has the layout no elements, so that the range has none either?
    #[inline]
    fn is_empty(&self) -> bool {
        false
    }
}
impl<M: Number> Range for Exactly<M> {
    const ROUNDS: bool = false;
    #[inline]
    fn extent(&self) -> usize {
        self.0.get()
    }
    #[inline]
    fn is_empty(&self) -> bool {
        self.1
    }
}
impl<M: Number> Range for AtLeast<M> {
    const ROUNDS: bool = true;
    const ENDS_ANYWHERE: bool = true;
    #[inline]
    fn extent(&self) -> usize {
        self.0.get()
    }
    #[inline]
    fn is_empty(&self) -> bool {
        self.1
    }
}
impl Range for NoRange {
    const ROUNDS: bool = true;
    #[inline]
    fn extent(&self) -> usize {
        0
    }
}

/// Up to `M`, exactly; whether the layout is empty.
pub struct Exactly<M>(pub M, pub bool);
impl<M: Quotient<Run> + Number, Run: Number> UpTo<Run> for Exactly<M>
where
    M::Output: LastGap<M, Run>,
{
    type Output = <M::Output as LastGap<M, Run>>::Output;
    #[inline]
    fn copies(self, run: &Run) -> Result<Self::Output, Fault> {
        if self.1 {
            return M::Output::last_gap(None, run);
        }
        let quotient =
            self.0.quotient(run).ok_or(Fault::Span { extent: self.0.get(), span: run.get() })?;
        M::Output::last_gap(Some(quotient), run)
    }
}
/// Up to the next multiple of the run that is at least `M`; whether the layout is empty.
pub struct AtLeast<M>(pub M, pub bool);
impl<M: CeilQuotient<Run> + Number, Run: Copy + Number> UpTo<Run> for AtLeast<M>
where
    Nil: Push<Merging, M::Output, Run>,
{
    type Output = <Nil as Push<Merging, M::Output, Run>>::Output;
    #[inline]
    fn copies(self, run: &Run) -> Result<Self::Output, Fault> {
        let copies = match self.1 {
            true => M::Output::from_number(1).ok_or(Fault::NoElements)?,
            false => self.0.ceil_quotient(run)?,
        };
        // Rounding the extent up may overflow `usize`. Every result is checked for offsets that
        // overflow.
        Nil.push(Mode { shape: copies, stride: *run })
    }
}
/// No range above the last mode: the caller wants the run alone.
pub struct NoRange;
impl<Run: Copy> UpTo<Run> for NoRange {
    type Output = Spanned<Run>;
    #[inline]
    fn copies(self, run: &Run) -> Result<Self::Output, Fault> {
        Ok(Spanned(*run))
    }
}
/// The span of all modes together.
pub struct Spanned<Run>(pub Run);
impl<S, D, Run> Push<Merging, S, D> for Spanned<Run> {
    type Output = Self;
    #[inline]
    fn push(self, _: Mode<S, D>) -> Result<Self, Fault> {
        Ok(self)
    }
}

/// The copies above the last mode; `self` is the quotient of `M` and `Run`. Without one, the layout
/// is empty: one copy.
pub trait LastGap<M, Run>: Sized {
    type Output;
    fn last_gap(quotient: Option<Self>, run: &Run) -> Result<Self::Output, Fault>;
}
cases! { LastGap::last_gap -> Result<Self::Output, Fault>:
    [M, Run: Copy, Q: Number] Exact<Q>, M, Run where (Nil: Push<Merging, Q, Run>)
        => <Nil as Push<Merging, Q, Run>>::Output, (quotient: Option<Self>, run: &Run) => {
        let copies = quotient.map(|Exact(copies)| copies).or_else(|| Q::from_number(1)).ok_or(Fault::NoElements)?;
        Nil.push(Mode { shape: copies, stride: *run })
    };
    [M, Run] NotExact, M, Run => Undefined<Span<M, Run>>, (_: Option<Self>, _: &Run) => Ok(Undefined::new());
}

/// The gaps of the sorted modes `self` above `Run` offsets, merged: modes, or [`Undefined`].
pub trait Gaps<Run, Top> {
    type Output;
    /// Is no mode left?
    const LAST: bool = false;
    fn gaps(self, run: Run, top: Top) -> Result<Self::Output, Fault>;
}
impl<Run, Top: UpTo<Run>> Gaps<Run, Top> for Nil {
    type Output = Top::Output;
    const LAST: bool = true;
    #[inline]
    fn gaps(self, run: Run, top: Top) -> Result<Self::Output, Fault> {
        top.copies(&run)
    }
}
cases! { Gaps::gaps -> Result<Self::Output, Fault>:
    [R, Run, Top] Undefined<R>, Run, Top => Self, (self, _: Run, _: Top) => Ok(self);
    [S: Number, D: Quotient<Run> + Number, T, Run: Number, Top: Range] Cons<Mode<S, D>, T>, Run, Top
        where (D::Output: NextGap<S, D, T, Run, Top>)
        => <D::Output as NextGap<S, D, T, Run, Top>>::Output, (self, run: Run, top: Top) => {
        let (extent, stride, below) = (self.head.shape.get(), self.head.stride.get(), run.get());
        if extent < 2 || stride == 0 || top.is_empty() {
            return D::Output::next_gap(None, self.head, self.tail, run, top);
        }
        let quotient = self.head.stride.quotient(&run).filter(|_| stride >= below);
        let quotient = quotient.ok_or(if stride < below {
            Fault::Overlap { extent, stride, below }
        } else {
            Fault::Stride { stride, below }
        })?;
        D::Output::next_gap(Some(quotient), self.head, self.tail, run, top)
    };
}

/// The gap below a mode `S:D` that does not move at run time, `below` offsets apart, and where it
/// ends: 1, or what the types know it to be.
#[inline]
pub fn still_gap<Q: Number, Above: Number>(
    extent: usize,
    stride: usize,
    below: usize,
) -> Result<(Q, Above), Fault> {
    let gap = Q::from_number(1)
        .or_else(|| Q::from_number(stride.checked_div(below).filter(|&gap| gap > 0)?));
    let above = gap.and_then(|gap| Above::from_number(gap.get().checked_mul(below)?));
    gap.zip(above).ok_or(Fault::Still { extent, stride })
}

/// [`Gaps`]; `self` is the quotient of the stride `D` and `Run`. Without one, the mode does not
/// move.
pub trait NextGap<S, D, T, Run, Top>: Sized {
    type Output;
    fn next_gap(
        quotient: Option<Self>,
        mode: Mode<S, D>,
        tail: T,
        run: Run,
        top: Top,
    ) -> Result<Self::Output, Fault>;
}
cases! { NextGap::next_gap -> Result<Self::Output, Fault>:
    [S: Times<D> + Number, D: Number, T: Gaps<S::Output, Top>, Run: Number, Top: Range, Q: Number]
        Exact<Q>, S, D, T, Run, Top where (T::Output: Push<Merging, Q, Run>)
        => <T::Output as Push<Merging, Q, Run>>::Output,
        (quotient: Option<Self>, mode: Mode<S, D>, tail: T, run: Run, top: Top) => {
        let Some(Exact(gap)) = quotient else {
            let (extent, stride, below) = (mode.shape.get(), mode.stride.get(), run.get());
            let (gap, above) = still_gap::<Q, S::Output>(extent, stride, below)?;
            // A gap that the types know is none at run time.
            let copies = gap.get() == 1 || !Top::ROUNDS && top.extent() % above.get() == 0;
            let copies = if copies { tail.gaps(above, top)? } else { return Err(Fault::Still { extent, stride }) };
            return copies.push(Mode { shape: gap, stride: run });
        };
        let above = match mode.shape.times(&mode.stride) {
            // A span above `usize::MAX` is beyond the range too, and one copy fills that range. The
            // stride of one copy does not matter, since the copy does not move: the largest number
            // stands in its place.
            Err(Fault::Overflow) if T::LAST && Top::ENDS_ANYWHERE => {
                S::Output::largest(top.extent()).ok_or(Fault::Overflow)?
            }
            above => above?,
        };
        tail.gaps(above, top)?.push(Mode { shape: gap, stride: run })
    };
    [S, D: Order<Run>, T, Run, Top] NotExact, S, D, T, Run, Top where (D::Output: NoGap<S, D, Run>)
        => <D::Output as NoGap<S, D, Run>>::Output,
        (_: Option<Self>, _: Mode<S, D>, _: T, _: Run, _: Top) => Ok(D::Output::no_gap());
}

/// Why there is no gap; `self` is the order of the stride and `Run`.
pub trait NoGap<S, D, Run> {
    type Output;
    fn no_gap() -> Self::Output;
}
cases! { NoGap::no_gap -> Self::Output:
    [S, D, Run] Less, S, D, Run => Undefined<Overlap<S, D, Run>>, () => Undefined::new();
    [S, D, Run] Greater, S, D, Run => Undefined<Gap<D, Run>>, () => Undefined::new();
}

// ---- the complement -----------------------------------------------------------------------------

/// Is the layout empty? It has a complement only in a range that is empty too.
#[inline]
pub fn is_empty<S: IntTuple>(shape: S, extent: usize) -> Result<bool, Fault> {
    match shape.node().product() == Some(0) {
        true if extent > 0 => Err(Fault::Span { extent, span: 0 }),
        is_empty => Ok(is_empty),
    }
}

/// The complement of the shape `self` and the stride `D`, both nodes, up to `Top`: [`Defined`] or
/// [`Undefined`].
pub trait ComplementNode<D, Top> {
    type Output;
    fn complement_node(self, stride: D, top: Top) -> Result<Self::Output, Fault>;
}
impl<S, D, Top> ComplementNode<D, Top> for S
where
    S: ModesOnto<D, Nil, Sorting, Output: Gaps<One, Top, Output: IntoResult>>,
{
    type Output = <<S::Output as Gaps<One, Top>>::Output as IntoResult>::Output;
    #[inline]
    fn complement_node(self, stride: D, top: Top) -> Result<Self::Output, Fault> {
        Ok(self.modes_onto(stride, Nil)?.gaps(One::default(), top)?.into_result())
    }
}
impl<Run> IntoResult for Spanned<Run> {
    type Output = Self;
    #[inline]
    fn into_result(self) -> Self {
        self
    }
}

/// The right operand is the range, a number.
macro_rules! complements {
    ($($operation:ident, $top:ident;)*) => {
        $(impl<N: Number, S: IntTuple, D: IntTuple> Apply<operation::$operation, StridedLayout<S, D>> for N
        where
            $top<N>: Range,
            S::Node: ComplementNode<D::Node, $top<N>>,
        {
            type Output = <S::Node as ComplementNode<D::Node, $top<N>>>::Output;
            #[inline]
            fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
                let (shape, stride) = left.into_parts();
                let top = $top(self, is_empty(shape, self.get())?);
                shape.node().complement_node(stride.node(), top)
            }
        })*
    };
}
complements! { Complement, Exactly; ComplementCeil, AtLeast; }
