//! Inverses of a layout as a function.
//!
//! ```text
//! right_inverse: L(R(i)) == i for i < size(R)        the longest chain of strides 1, s0, s0*s1, ..
//! left_inverse:  R(L(i)) == i where L is injective
//!         an offset read in the mixed radix of the sorted strides
//! ```
//!
//! With dynamic leaves the laws hold too. A chain that goes on where only run time knows that it
//! does is refused.

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::coalesce::Merge;
use crate::algebra::complement::{InsertAt, Sort, Sorting, sorting};
use crate::algebra::mode::{AllModes, Mode, ModesOnto, Push};
use crate::algebra::operation;
use crate::algebra::outcome::{Defined, Evaluate};
use crate::algebra::trees::IntoResult;
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Nested, Nil};
use crate::number::int::{False, NotExact, One, True, Zero};
use crate::number::multiple::Multiple;
use crate::number::quotient::{Exact, Quotient};
use crate::number::table::{Number, Order, RunTimeNumber, Same, Times, Unknown};
use crate::reasons::undefined::Undefined;
use crate::reasons::{Strides, Within};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::{Kind, Node};

// ---- steps in the domain ------------------------------------------------------------------------

/// An extent, and the step in the domain between its coordinates.
#[derive(Clone, Copy)]
pub struct ExtentAndStep<S, P> {
    extent: S,
    step: P,
}
impl<L, P, D> Push<Sorting, ExtentAndStep<One, P>, D> for L {
    type Output = Self;
    #[inline]
    fn push(self, _: Mode<ExtentAndStep<One, P>, D>) -> Result<Self, Fault> {
        Ok(self)
    }
}
sorting! {
    [P] ExtentAndStep<UTerm, P>; [P U A B] ExtentAndStep<UInt<UInt<U, A>, B>, P>; [P] ExtentAndStep<usize, P>;
    [P K] ExtentAndStep<Multiple<K>, P>;
}

/// A list of modes, each with its step in the domain, from `Run` on.
pub trait DomainModes<Run> {
    type Output;
    fn domain_modes(self, run: Run) -> Result<Self::Output, Fault>;
}
cases! { DomainModes::domain_modes -> Result<Self::Output, Fault>:
    [Run] Nil, Run => Nil, (self, _: Run) => Ok(Nil);
    [S, D, T, Run: Times<S>] Cons<Mode<S, D>, T>, Run where (T: DomainModes<Run::Output>)
        => Cons<Mode<ExtentAndStep<S, Run>, D>, T::Output>, (self, run: Run) => {
        let Mode { shape, stride } = self.head;
        let behind = run.times(&shape)?;
        let head = Mode { shape: ExtentAndStep { extent: shape, step: run }, stride };
        Ok(Cons { head, tail: self.tail.domain_modes(behind)? })
    };
}

/// Modes with static strides, sorted by them.
type Sorted<D> = <<D as StaticStrides>::Output as Sort>::Output;
/// The modes of a layout with their steps.
type Domain<S, D> = <AllModes<S, D> as DomainModes<One>>::Output;

#[inline]
fn domain<S: Nested, D: Nested>(layout: StridedLayout<S, D>) -> Result<Domain<S, D>, Fault>
where
    S::Node: ModesOnto<D::Node, Nil, Output: DomainModes<One>>,
{
    let (shape, stride) = layout.into_parts();
    shape.node().modes_onto(stride.node(), Nil)?.domain_modes(One::default())
}

// ---- right inverse ------------------------------------------------------------------------------

/// A list of modes without those of dynamic stride.
pub trait StaticStrides {
    type Output;
    fn static_strides(self) -> Self::Output;
}
cases! { StaticStrides::static_strides -> Self::Output:
    [] Nil => Nil, (self) => Nil;
    [S, T: StaticStrides, N: RunTimeNumber] Cons<Mode<S, N>, T> => T::Output, (self) => self.tail.static_strides();
    [S, T: StaticStrides] Cons<Mode<S, UTerm>, T> => Cons<Mode<S, UTerm>, T::Output>,
        (self) => Cons { head: self.head, tail: self.tail.static_strides() };
    [S, T: StaticStrides, U, B] Cons<Mode<S, UInt<U, B>>, T> => Cons<Mode<S, UInt<U, B>>, T::Output>,
        (self) => Cons { head: self.head, tail: self.tail.static_strides() };
}

/// The chain of the sorted modes `self` that continues from the stride `Run`: their steps as
/// strides.
pub trait ChainFrom<Run> {
    type Output;
    fn chain(self, run: Run) -> Result<Self::Output, Fault>;
}
cases! { ChainFrom::chain -> Result<Self::Output, Fault>:
    [Run] Nil, Run => Nil, (self, _: Run) => Ok(Nil);
    [S, P, D: Same<Run>, T, Run] Cons<Mode<ExtentAndStep<S, P>, D>, T>, Run where (D::Output: Link<S, P, T, Run>)
        => <D::Output as Link<S, P, T, Run>>::Output,
        (self, run: Run) => D::Output::link(self.head.shape, self.tail, run);
}

/// `self` says whether the next mode is a link of the chain.
pub trait Link<S, P, T, Run> {
    type Output;
    fn link(mode: ExtentAndStep<S, P>, tail: T, run: Run) -> Result<Self::Output, Fault>;
}
cases! { Link::link -> Result<Self::Output, Fault>:
    [S, P, T: ChainFrom<Run>, Run] False, S, P, T, Run => T::Output,
        (_: ExtentAndStep<S, P>, tail: T, run: Run) => tail.chain(run);
    [S, P, T: ChainFrom<Run::Output>, Run: Times<S>] True, S, P, T, Run
        => Cons<Mode<S, P>, T::Output>, (mode: ExtentAndStep<S, P>, tail: T, run: Run) => {
        let run = run.times(&mode.extent)?;
        Ok(Cons { head: Mode { shape: mode.extent, stride: mode.step }, tail: tail.chain(run)? })
    };
}

/// The mode with which the inverse of a layout goes on behind `run` offsets: its extent, whether
/// the types know that it does, and whether they know the extent. If they know `run`, they take a
/// mode of dynamic extent, even if that is 1.
fn link<S: Node, D: Node>(
    shape: S,
    stride: D,
    run: usize,
    known: bool,
) -> Option<(usize, bool, bool)> {
    match S::KIND {
        Kind::Nil => None,
        Kind::Leaf => {
            let (extent, seen, is_static) =
                (shape.leaf(), known && D::STATIC.is_some(), S::STATIC.is_some());
            let moves = extent != 1 || seen && !is_static;
            (moves && stride.leaf() == run).then_some((extent, seen, is_static))
        }
        Kind::Cons => link(shape.head(), stride.head(), run, known)
            .or_else(|| link(shape.tail(), stride.tail(), run, known)),
    }
}

/// The right inverse as merged modes, without those of dynamic stride.
pub trait RightInverseModes {
    type Output;
    /// The same modes, not yet merged.
    type Chain;
    fn right_inverse_modes(self) -> Result<Self::Output, Fault>;
    fn chain_modes(self) -> Result<Self::Chain, Fault>;
    /// Refuses a layout whose chain has a link that only run time knows.
    fn only_static_links(self) -> Result<(), Fault>;
}
impl<S: IntTuple, D: IntTuple> RightInverseModes for StridedLayout<S, D>
where
    S::Node: ModesOnto<D::Node, Nil, Output: DomainModes<One>>,
    Domain<S, D>: StaticStrides<Output: Sort<Output: ChainFrom<One, Output: Merge>>>,
{
    type Output = <Self::Chain as Merge>::Output;
    type Chain = <Sorted<Domain<S, D>> as ChainFrom<One>>::Output;
    #[inline]
    fn right_inverse_modes(self) -> Result<Self::Output, Fault> {
        self.chain_modes()?.merge(Nil)
    }
    #[inline]
    fn chain_modes(self) -> Result<Self::Chain, Fault> {
        domain(self)?.static_strides().sort()?.chain(One::default())
    }
    #[inline]
    fn only_static_links(self) -> Result<(), Fault> {
        let (shape, stride) = self.into_parts();
        let (mut run, mut known) = (1, true);
        while let Some((extent, seen, is_static)) = link(shape.node(), stride.node(), run, known) {
            if !seen {
                return Err(Fault::DynamicLink { extent, stride: run });
            }
            known = is_static;
            match run.checked_mul(extent) {
                None | Some(0) => break,
                Some(end) => run = end,
            }
        }
        Ok(())
    }
}
impl<L: RightInverseModes<Output: IntoResult> + Copy> Evaluate<operation::RightInverse> for L {
    type Output = <L::Output as IntoResult>::Output;
    #[inline]
    fn evaluate(self) -> Result<Self::Output, Fault> {
        if size_of::<L>() > 0 {
            self.only_static_links()?;
        }
        Ok(self.right_inverse_modes()?.into_result())
    }
}

// ---- left inverse -------------------------------------------------------------------------------

impl<S: Nested, D: Nested> Evaluate<operation::LeftInverse> for StridedLayout<S, D>
where
    S::Node: ModesOnto<D::Node, Nil, Output: DomainModes<One>>,
    Domain<S, D>: Sort<Output: Radix>,
{
    type Output = <<Domain<S, D> as Sort>::Output as Radix>::Output;
    #[inline]
    fn evaluate(self) -> Result<Self::Output, Fault> {
        domain(self)?.sort()?.radix()
    }
}

/// The sorted modes `self` as the mixed radix of the offsets: [`Defined`] or [`Undefined`].
pub trait Radix {
    type Output;
    fn radix(self) -> Result<Self::Output, Fault>;
}
cases! { Radix::radix -> Result<Self::Output, Fault>:
    [] Nil => Defined<One, Zero>, (self) => Ok(Defined { shape: One::default(), stride: UTerm });
    [R] Undefined<R> => Self, (self) => Ok(self);
    // Offsets below the least stride are ignored: a digit of extent `D` and stride 0.
    [S: Number, P, D: Number, T] Cons<Mode<ExtentAndStep<S, P>, D>, T> where (Self: RadixDigits<Output: IntoRadix<D>>)
        => <<Self as RadixDigits>::Output as IntoRadix<D>>::Output, (self) => {
        let below = self.head.stride;
        if below.get() == 0 {
            return Err(Fault::Still { extent: self.head.shape.extent.get(), stride: 0 });
        }
        self.radix_digits()?.into_radix(below)
    };
}

/// The digits of an offset, least stride first: for each mode the number of its steps that fit
/// below the next stride.
pub trait RadixDigits {
    type Output;
    fn radix_digits(self) -> Result<Self::Output, Fault>;
}
cases! { RadixDigits::radix_digits -> Result<Self::Output, Fault>:
    [S, P, D] Cons<Mode<ExtentAndStep<S, P>, D>, Nil> => Cons<Mode<S, P>, Nil>, (self) => {
        let ExtentAndStep { extent, step } = self.head.shape;
        Ok(Cons { head: Mode { shape: extent, stride: step }, tail: Nil })
    };
    [S: Times<D> + Number, P, D: Number, S1, D1, T] Cons<Mode<ExtentAndStep<S, P>, D>, Cons<Mode<S1, D1>, T>>
        where (D1: Order<S::Output> + Number, D1::Output: Fits<S, P, D, D1, Cons<Mode<S1, D1>, T>>)
        => <D1::Output as Fits<S, P, D, D1, Cons<Mode<S1, D1>, T>>>::Output, (self) => {
        let (extent, below, stride) = (self.head.shape.extent, self.head.stride, self.tail.head.stride);
        if stride.get() < extent.times(&below)?.get() {
            return Err(Fault::Within { stride: stride.get(), extent: extent.get(), below: below.get() });
        }
        D1::Output::fits(self.head, self.tail)
    };
}

/// Does the mode `S:D` fit below the stride `D1`? `self` is the order of `D1` and `S * D`.
pub trait Fits<S, P, D, D1, Tail> {
    type Output;
    fn fits(mode: Mode<ExtentAndStep<S, P>, D>, tail: Tail) -> Result<Self::Output, Fault>;
}
impl<S, P, D, D1, Tail> Fits<S, P, D, D1, Tail> for Less {
    type Output = Undefined<Within<D1, S, D>>;
    #[inline]
    fn fits(_: Mode<ExtentAndStep<S, P>, D>, _: Tail) -> Result<Self::Output, Fault> {
        Ok(Undefined::new())
    }
}
macro_rules! fits {
    ($($order:ty),*) => {
        $(impl<S, P, D: Number, S1, D1: Quotient<D> + Number, T> Fits<S, P, D, D1, Cons<Mode<S1, D1>, T>> for $order
        where
            D1::Output: Digit<P, D, D1, Cons<Mode<S1, D1>, T>>,
        {
            type Output = <D1::Output as Digit<P, D, D1, Cons<Mode<S1, D1>, T>>>::Output;
            #[inline]
            fn fits(mode: Mode<ExtentAndStep<S, P>, D>, tail: Cons<Mode<S1, D1>, T>) -> Result<Self::Output, Fault> {
                let (stride, below) = (tail.head.stride.get(), mode.stride.get());
                let quotient = tail.head.stride.quotient(&mode.stride).ok_or(Fault::Strides { stride, below })?;
                quotient.digit(mode.shape.step, tail)
            }
        })*
    };
}
fits!(Equal, Greater, Unknown);

/// The digit of one mode and those of the modes `Tail`; `self` is the quotient of the strides `D1`
/// and `D`.
pub trait Digit<P, D, D1, Tail> {
    type Output;
    fn digit(self, step: P, tail: Tail) -> Result<Self::Output, Fault>;
}
cases! { Digit::digit -> Result<Self::Output, Fault>:
    [P, D, D1, Tail] NotExact, P, D, D1, Tail => Undefined<Strides<D1, D>>,
        (self, _: P, _: Tail) => Ok(Undefined::new());
    [P, D, D1, Tail: RadixDigits<Output: BehindDigit<Q, P>>, Q] Exact<Q>, P, D, D1, Tail
        => <Tail::Output as BehindDigit<Q, P>>::Output,
        (self, step: P, tail: Tail) => Ok(tail.radix_digits()?.behind_digit(Mode { shape: self.0, stride: step }));
}

/// The digit `Q:P` before the digits `self`.
pub trait BehindDigit<Q, P> {
    type Output;
    fn behind_digit(self, digit: Mode<Q, P>) -> Self::Output;
}
cases! { BehindDigit::behind_digit -> Self::Output:
    [Q, P, H, T] Cons<H, T>, Q, P => Cons<Mode<Q, P>, Self>,
        (self, digit: Mode<Q, P>) => Cons { head: digit, tail: self };
    [Q, P, R] Undefined<R>, Q, P => Self, (self, _: Mode<Q, P>) => self;
}

/// The digits `self` above a digit of extent `D` and stride 0, as a shape and a stride.
pub trait IntoRadix<D> {
    type Output;
    fn into_radix(self, below: D) -> Result<Self::Output, Fault>;
}
cases! { IntoRadix::into_radix -> Result<Self::Output, Fault>:
    [D, R] Undefined<R>, D => Self, (self, _: D) => Ok(self);
    [D, H, T] Cons<H, T>, D where (Cons<Mode<D, Zero>, Self>: Merge<Output: IntoResult>)
        => <<Cons<Mode<D, Zero>, Self> as Merge>::Output as IntoResult>::Output, (self, below: D) => {
        let digits = Cons { head: Mode { shape: below, stride: UTerm }, tail: self };
        Ok(digits.merge(Nil)?.into_result())
    };
}
