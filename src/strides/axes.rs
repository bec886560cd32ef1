//! Steps along the axes of a shape as strides: CuTe's basis elements, and several of them at once.
//!
//! ```text
//! c * (k@j) = (c * k)@j          a@j + b@j = (a + b)@j          along two axes at once: a `Diagonal`
//! ```
//!
//! The axes of a diagonal are in order, each of them once, so that two equal sums are one type. Its
//! steps are known at compile time.

use core::fmt::{self, Debug, Formatter};
use core::marker::PhantomData;

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::error::Fault;
use crate::number::int::{False, One, StaticInt, True};
use crate::number::multiple::Multiple;
use crate::number::table::{
    Number, Order, Plus, RunTimeNumber, Same, SealedNumber, StepsAlong, StrideKind, Times,
};
use crate::reasons::ByStride;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::semimodule::Semimodule;

/// Offsets are coordinates of a shape: products and sums axis by axis.
impl<T: IntTuple> Semimodule for T {
    type Offset = T::Dynamic;
    #[inline(always)]
    fn zero() -> T::Dynamic {
        T::origin()
    }
    #[inline(always)]
    fn product(number: usize, stride: usize, kind: StrideKind) -> T::Dynamic {
        T::from_axes(&mut 0, &mut |axis| match kind {
            StrideKind::Along(along) if along == axis => number * stride,
            StrideKind::Diagonal(axes) => number * axes.along(axis),
            _ => 0,
        })
    }
    #[inline(always)]
    fn sum(left: T::Dynamic, right: T::Dynamic) -> T::Dynamic {
        T::moved(left, right)
    }
    #[inline]
    fn cosize(_: Option<usize>, last: T::Dynamic) -> Option<usize> {
        let mut largest = 0;
        T::each(last, &mut |number| largest = largest.max(number));
        Some(largest + 1)
    }
}

// ---- along one axis -----------------------------------------------------------------------------

/// `K` steps along axis `J`, a stride of an identity layout. Axes count the leaves of the shape
/// from the left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Basis<J, K>(K, PhantomData<J>);

impl<J> Basis<J, One> {
    /// `1@J`
    #[inline]
    pub(crate) fn one_step() -> Self {
        Basis(One::default(), PhantomData)
    }
}
impl<J: StaticInt, K: Number> Debug for Basis<J, K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.0.get(), J::VALUE)
    }
}
leaves! { [J K] Basis<J, K>; }
impl<J, K> SealedNumber for Basis<J, K> {}
impl<J: StaticInt, K: Number> Number for Basis<J, K> {
    const STATIC: Option<usize> = K::STATIC;
    const STRIDE: StrideKind = StrideKind::Along(J::VALUE);
    #[inline]
    fn get(self) -> usize {
        self.0.get()
    }
}

// `c * (k@j) = (c * k)@j`
cases! { Times::times -> Result<Self::Output, Fault>, for { [U B] UInt<U, B>; [] usize; [Factor] Multiple<Factor>; }:
    [J: StaticInt, K] Self, Basis<J, K> where (Self: Times<K>) => Basis<J, <Self as Times<K>>::Output>,
        (&self, right: &Basis<J, K>) => Ok(Basis(self.times(&right.0)?, PhantomData));
}

// `a@j + 0 = a@j`
cases! { Plus::plus -> Result<Self::Output, Fault>:
    [J: StaticInt, K: Number] Basis<J, K>, UTerm => Self, (&self, _: &UTerm) => Ok(*self);
    // `a@j + b@j = (a + b)@j`; along two axes it is a `Diagonal`.
    [J: Order<I, Output: SumAlong<J, K, I, M>>, K, I, M] Basis<J, K>, Basis<I, M>
        => <J::Output as SumAlong<J, K, I, M>>::Output,
        (&self, right: &Basis<I, M>) => J::Output::sum_along(self, right);
}
/// The sum of two steps; `self` is the order of their axes.
pub trait SumAlong<J, K, I, M> {
    type Output: Number;
    fn sum_along(left: &Basis<J, K>, right: &Basis<I, M>) -> Result<Self::Output, Fault>;
}
cases! { SumAlong::sum_along -> Result<Self::Output, Fault>:
    [J: StaticInt, K: Plus<M>, I, M] Equal, J, K, I, M => Basis<J, K::Output>,
        (left: &Basis<J, K>, right: &Basis<I, M>) => Ok(Basis(left.0.plus(&right.0)?, PhantomData));
    [J, K, I, M] Less, J, K, I, M where (Basis<J, K>: AxisBefore<Basis<I, M>, Output: Default>)
        => <Basis<J, K> as AxisBefore<Basis<I, M>>>::Output,
        (_: &Basis<J, K>, _: &Basis<I, M>) => Ok(Default::default());
    [J, K, I, M] Greater, J, K, I, M where (Basis<I, M>: AxisBefore<Basis<J, K>, Output: Default>)
        => <Basis<I, M> as AxisBefore<Basis<J, K>>>::Output,
        (_: &Basis<J, K>, _: &Basis<I, M>) => Ok(Default::default());
}
/// `self`, which goes along an axis before those of `B`, and `B`.
pub trait AxisBefore<B> {
    type Output: Number;
}
cases! { AxisBefore:
    [J, U, C, I, V, D] Basis<J, UInt<U, C>>, Basis<I, UInt<V, D>> where (Diagonal<Self, Basis<I, UInt<V, D>>>: Number)
        => Diagonal<Self, Basis<I, UInt<V, D>>>;
    [J, U, C, X, Y] Basis<J, UInt<U, C>>, Diagonal<X, Y> where (Diagonal<Self, Diagonal<X, Y>>: Number)
        => Diagonal<Self, Diagonal<X, Y>>;
    // Steps that run time knows.
    [J, U, C, I, M: RunTimeNumber] Basis<J, UInt<U, C>>, Basis<I, M> where ((): StepAlong<Self, Basis<I, M>>, Self: Number)
        => Self;
    [J, K: RunTimeNumber, B] Basis<J, K>, B where ((): StepAlong<Self, B>, Self: Number) => Self;
}
#[diagnostic::on_unimplemented(
    message = "cannot compose: one step of the result would go along several axes of the identity layout at once, as far \
               as only run time knows",
    label = "a step along several axes has to be known at compile time",
    note = "divide the identity layout by a static tiler, or let each stride of the right layout stay within one mode of \
            the left one; where any coordinate will do, ask for each on its own: `identity.index(l.index(c))`"
)]
/// Implemented by nothing: the message of steps along several axes that run time knows.
pub trait StepAlong<A, B> {}

cases! { Same:
    [J, K] UTerm, Basis<J, K> => False;
    [J, K, U, B] UInt<U, B>, Basis<J, K> => False;
    [J, K] Basis<J, K>, UTerm => False;
    [J, K, U, B] Basis<J, K>, UInt<U, B> => False;
    [J, K] Basis<J, K>, usize => False;
    [J, K, Factor] Basis<J, K>, Multiple<Factor> => False;
    [J: Same<I, Output: SameSteps<K, N>>, K, I, N] Basis<J, K>, Basis<I, N> => <J::Output as SameSteps<K, N>>::Output;
}
/// Are the numbers of steps equal too? `self` says whether the axes are.
pub trait SameSteps<K, N> {
    type Output;
}
cases! { SameSteps:
    [K, N] False, K, N => False;
    [K: Same<N>, N] True, K, N => K::Output;
}

// ---- along several axes at once -----------------------------------------------------------------

/// The steps `A` along one axis and those of `B`, along axes that come after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Diagonal<A, B>(PhantomData<(A, B)>);

impl<A, B> Debug for Diagonal<A, B>
where
    Self: Number,
{
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match Self::STRIDE {
            StrideKind::Diagonal(axes) => write!(f, "{axes}"),
            _ => Ok(()),
        }
    }
}
leaves! { [A B] Diagonal<A, B>; }
impl<A, B> SealedNumber for Diagonal<A, B> {}

/// Steps whose axes and numbers are known.
pub trait AlongAxes: Number + Default {
    const AXES: StepsAlong;
}
impl<J: StaticInt, K: StaticInt> AlongAxes for Basis<J, K> {
    const AXES: StepsAlong = StepsAlong { axis: J::VALUE, steps: K::VALUE, others: None };
}
impl<J: StaticInt, K: StaticInt, B: AlongAxes> AlongAxes for Diagonal<Basis<J, K>, B> {
    const AXES: StepsAlong = StepsAlong { axis: J::VALUE, steps: K::VALUE, others: Some(&B::AXES) };
}
impl<J: StaticInt, K: StaticInt, B: AlongAxes> Number for Diagonal<Basis<J, K>, B> {
    const STATIC: Option<usize> = Some(1);
    const STRIDE: StrideKind = StrideKind::Diagonal(&<Self as AlongAxes>::AXES);
    /// One diagonal step; [`Number::STRIDE`] says where it leads.
    #[inline]
    fn get(self) -> usize {
        1
    }
}

/// `N * self`. The trait is implemented on the steps, not on the number: while the steps are
/// unknown, the compiler searches no further.
pub trait TimesNumber<N> {
    type Output: Number + Default;
}
cases! { TimesNumber:
    [J, K, N: Times<Basis<J, K>, Output: Default>] Basis<J, K>, N => N::Output;
    [A: TimesNumber<N>, B: TimesNumber<N>, N] Diagonal<A, B>, N where (Diagonal<A::Output, B::Output>: AlongAxes)
        => Diagonal<A::Output, B::Output>;
}
cases! { Times::times -> Result<Self::Output, Fault>:
    [U, B, X, Y] UInt<U, B>, Diagonal<X, Y> where (Diagonal<X, Y>: TimesNumber<Self>)
        => <Diagonal<X, Y> as TimesNumber<Self>>::Output,
        (&self, _: &Diagonal<X, Y>) => Ok(Default::default());
    // A number of steps known only at run time cannot be part of a type.
    [X, Y] usize, Diagonal<X, Y> where (Diagonal<X, Y>: Number) => Diagonal<X, Y>,
        (&self, _: &Diagonal<X, Y>) => Err(Fault::DiagonalSteps);
    [F, X, Y] Multiple<F>, Diagonal<X, Y> where (Diagonal<X, Y>: Number) => Diagonal<X, Y>,
        (&self, _: &Diagonal<X, Y>) => Err(Fault::DiagonalSteps);
}

cases! { Plus::plus -> Result<Self::Output, Fault>:
    [A, B] Diagonal<A, B>, UTerm where (Self: Number) => Self, (&self, _: &UTerm) => Ok(*self);
    [J: Order<I, Output: Insert<Basis<J, K>, R, Basis<I, M>>>, K, R, I, M] Diagonal<Basis<J, K>, R>, Basis<I, M>
        => <J::Output as Insert<Basis<J, K>, R, Basis<I, M>>>::Output,
        (&self, _: &Basis<I, M>) => Ok(Default::default());
    // One axis after the other.
    [J, K, X, Y] Basis<J, K>, Diagonal<X, Y> where (Diagonal<X, Y>: PlusTo<Self>)
        => <Diagonal<X, Y> as PlusTo<Self>>::Output,
        (&self, right: &Diagonal<X, Y>) => right.plus_to(self);
    [A, B, X, Y] Diagonal<A, B>, Diagonal<X, Y> where (Diagonal<X, Y>: PlusTo<Self>)
        => <Diagonal<X, Y> as PlusTo<Self>>::Output,
        (&self, right: &Diagonal<X, Y>) => right.plus_to(self);
}
/// `L + self`, one axis after the other. A trait of the steps, as [`TimesNumber`] is.
pub trait PlusTo<L> {
    type Output: Number;
    fn plus_to(&self, left: &L) -> Result<Self::Output, Fault>;
}
cases! { PlusTo::plus_to -> Result<Self::Output, Fault>:
    [J, K, L: Plus<Basis<J, K>>] Basis<J, K>, L => L::Output, (&self, left: &L) => left.plus(self);
    [A: PlusTo<L> + Default, B: PlusTo<A::Output> + Default, L] Diagonal<A, B>, L => B::Output,
        (&self, left: &L) => B::default().plus_to(&A::default().plus_to(left)?);
}
/// The steps `A`, `R` and `N`; `self` is the order of the axes of `A` and `N`, and `R` goes along
/// axes after that of `A`.
pub trait Insert<A, R, N> {
    type Output: Number + Default;
}
cases! { Insert:
    [A: Plus<N>, R, N] Equal, A, R, N where (Diagonal<A::Output, R>: Number + Default) => Diagonal<A::Output, R>;
    [A, R: Plus<N>, N] Less, A, R, N where (Diagonal<A, R::Output>: Number + Default) => Diagonal<A, R::Output>;
    [A, R, N: AxisBefore<Diagonal<A, R>, Output: Default>] Greater, A, R, N => N::Output;
}

cases! { Same:
    [A, B] UTerm, Diagonal<A, B> => False;
    [A, B, U, C] UInt<U, C>, Diagonal<A, B> => False;
    [A, B, J, K] Basis<J, K>, Diagonal<A, B> => False;
    [A, B] Diagonal<A, B>, UTerm => False;
    [A, B, U, C] Diagonal<A, B>, UInt<U, C> => False;
    [A, B] Diagonal<A, B>, usize => False;
    [A, B, F] Diagonal<A, B>, Multiple<F> => False;
    [A, B, J, K] Diagonal<A, B>, Basis<J, K> => False;
    [A: Same<X>, B, X, Y] Diagonal<A, B>, Diagonal<X, Y> where (A::Output: SameSteps<B, Y>)
        => <A::Output as SameSteps<B, Y>>::Output;
}

// ---- in a left operand of a composition ---------------------------------------------------------

// Steps along axes have no stride to name.
impl<At, In, J, K> ByStride<At, In> for Basis<J, K> {
    type Output = In;
}
impl<At, In, A, B> ByStride<At, In> for Diagonal<A, B> {
    type Output = In;
}
