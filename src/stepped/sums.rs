//! Sums of layouts of XOR strides: where no bit is one of both, their sum is their XOR.
//!
//! ```text
//! (8,8):(^1,^9) + 64:64               (8,8):(^65,^521)
//! (8,8):(^1,^9) + (8,8):(^1,^9)       refused: bit 0 is one of both
//! ```
//!
//! XOR modes that say the same as natural ones are these, and add up, with negative ones too. Then both are taken mode by mode, as natural ones
//! are. A step along natural and XOR strides at once stays in its two parts until the modes of the sum are all there.

use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use crate::algebra::mode::{Mode, ModesOnto};
use crate::algebra::operation::{self, Apply, With, right, settle};
use crate::algebra::outcome::Outcome;
use crate::algebra::sum::{AddBehind, AddModes, add_rest};
use crate::algebra::traits::{Coalesce, LayoutAdd};
use crate::error::{Fault, LayoutError};
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Nested, Nil, Untangle};
use crate::number::int::{False, True, Zero};
use crate::number::multiple::Multiple;
use crate::number::table::{Number, RunTimeNumber, Same, Times};
use crate::refusal::undefined::Undefined;
use crate::refusal::{DynamicRightXor, DynamicXorSum, NoPowerOfTwo, XorSum};
use crate::stepped::as_swizzle::{BitsOfBoth, LowestPlace};
use crate::stepped::layout::SteppedLayout;
use crate::stepped::minus::Minus;
use crate::stepped::of_kinds::{DefinedOfKinds, IntoKinds};
use crate::stepped::put_together::IntoTogether;
use crate::stepped::right_modes::{BitsOfTwoModes, MaskOf, UnlessShared, WithNatural, XorModesOf};
use crate::stepped::two_parts::InTwoParts;
use crate::stepped::xor::Xor;
use crate::stepped::xor_modes::IsPower;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::semimodule::Bits;

// ---- the operation ------------------------------------------------------------------------------------------------

impl<S: IntTuple, D: IntTuple, B> LayoutAdd<B> for SteppedLayout<Bits, S, D>
where
    B: right::LayoutAdd<Accepted: Apply<operation::LayoutAdd, Self, Output: Outcome<operation::LayoutAdd>>>,
{
    type Output = <<B::Accepted as Apply<operation::LayoutAdd, Self>>::Output as Outcome<operation::LayoutAdd>>::Output;
    #[inline]
    fn evaluated(left: Self, right: B) -> Result<Self::Output, LayoutError> {
        settle::<operation::LayoutAdd, _, _>(left, With(right.accepted()))
    }
}
impl<S: IntTuple, D: IntTuple, T: IntTuple, E: IntTuple> Apply<operation::LayoutAdd, SteppedLayout<Bits, S, D>>
    for StridedLayout<T, E>
where
    StridedLayout<S, D>: AddXor<T, E>,
{
    type Output = <StridedLayout<S, D> as AddXor<T, E>>::Output;
    #[inline]
    fn apply(self, left: SteppedLayout<Bits, S, D>) -> Result<Self::Output, Fault> {
        left.strided().add_xor(self)
    }
}
cases! { Apply::apply -> Result<Self::Output, Fault>:
    [S: IntTuple, D: IntTuple, T: IntTuple, E: IntTuple]
        SteppedLayout<Bits, T, E>, operation::LayoutAdd, SteppedLayout<Bits, S, D>
        where (StridedLayout<S, D>: AddXor<T, E>)
        => <StridedLayout<S, D> as AddXor<T, E>>::Output,
        (self, left: SteppedLayout<Bits, S, D>) => left.strided().add_xor(self.strided());
    [S: IntTuple, D: IntTuple, T: IntTuple, E: IntTuple]
        SteppedLayout<Bits, T, E>, operation::LayoutAdd, StridedLayout<S, D>
        where (StridedLayout<S, D>: AddXor<T, E>)
        => <StridedLayout<S, D> as AddXor<T, E>>::Output,
        (self, left: StridedLayout<S, D>) => left.add_xor(self.strided());
}

/// The sum of `self` and the layout `T:E`, one of which has XOR strides.
pub trait AddXor<T, E> {
    type Output;
    fn add_xor(self, other: StridedLayout<T, E>) -> Result<Self::Output, Fault>;
}
impl<S: IntTuple, D: IntTuple, T: IntTuple, E: IntTuple> AddXor<T, E> for StridedLayout<S, D>
where
    S::Node: ModesOnto<D::Node, Nil, Output: Onwards<Output: XorModesOf<Output: XorBitsOf>>>,
    T::Node: ModesOnto<E::Node, Nil, Output: Onwards<Output: XorModesOf<Output: XorBitsOf>>>,
    XorBits<S, D>: AddUnlessRefused<Self, StridedLayout<T, E>, XorBits<T, E>>,
{
    type Output = <XorBits<S, D> as AddUnlessRefused<Self, StridedLayout<T, E>, XorBits<T, E>>>::Output;
    #[inline]
    fn add_xor(self, other: StridedLayout<T, E>) -> Result<Self::Output, Fault> {
        <XorBits<S, D>>::add_unless_refused(self, other)
    }
}

// ---- bits of both -------------------------------------------------------------------------------------------------

/// The bits of XOR modes that say no natural ones, `Mask`, and those that two of them share.
pub struct MaskAndTwice<Mask, Twice>(PhantomData<(Mask, Twice)>);
/// Of a list of XOR modes, or why there is none: [`MaskAndTwice`] or [`Undefined`].
pub trait XorBitsOf {
    type Output;
}
cases! { XorBitsOf:
    [] Undefined<DynamicRightXor> => Undefined<DynamicXorSum>;
    [] Nil => MaskAndTwice<Zero, Zero>;
    [M, T, Twice] Cons<M, T> where (Self: BitsOfTwoModes<Zero, Zero, Output = Twice> + MaskOf<Twice, Zero>)
        => MaskAndTwice<<Self as MaskOf<Twice, Zero>>::Output, Twice>;
}
/// The XOR bits of the layout `S:D`.
type XorBits<S, D> = <<<<<S as Nested>::Node as ModesOnto<<D as Nested>::Node, Nil>>::Output as Onwards>::Output
    as XorModesOf>::Output as XorBitsOf>::Output;

/// The modes `self` but the negative ones, which have no XOR bits.
pub trait Onwards {
    type Output;
}
cases! { Onwards:
    [] Nil => Nil;
    [S, T: Onwards] Cons<Mode<S, UTerm>, T> => T::Output;
    [S, U, B, T: Onwards] Cons<Mode<S, UInt<U, B>>, T> => T::Output;
    [S, N: RunTimeNumber, T: Onwards] Cons<Mode<S, N>, T> => T::Output;
    [S, N, T: Onwards] Cons<Mode<S, Minus<N>>, T> => T::Output;
    [S, N, T: Onwards] Cons<Mode<S, Xor<N>>, T> => Cons<Mode<S, Xor<N>>, T::Output>;
}

/// The sum of the layouts `A` and `B`, if `self`, the XOR bits of `A`, and `Other`, those of `B`, are known.
pub trait AddUnlessRefused<A, B, Other> {
    type Output;
    fn add_unless_refused(left: A, right: B) -> Result<Self::Output, Fault>;
}
cases! { AddUnlessRefused::add_unless_refused -> Result<Self::Output, Fault>:
    [R, A, B, Other] Undefined<R>, A, B, Other => Self, (_: A, _: B) => Ok(Undefined::new());
    [R, Mask, Twice, A, B] MaskAndTwice<Mask, Twice>, A, B, Undefined<R> => Undefined<R>,
        (_: A, _: B) => Ok(Undefined::new());
    [Mask, Twice, M, W, S, D, T, E]
        MaskAndTwice<Mask, Twice>, StridedLayout<S, D>, StridedLayout<T, E>, MaskAndTwice<M, W>
        where (
            Mask: BitsOfBoth<M, Output: AddApart<Plain<S, D, Twice>, Plain<T, E, W>>>,
            S: IntTuple, T: IntTuple, D: IntTuple<Node: WithNatural<S::Node, UnlessShared<Twice>, Output: Untangle>>,
            E: IntTuple<Node: WithNatural<T::Node, UnlessShared<W>, Output: Untangle>>,
            PlainStride<S, D, Twice>: IntTuple, PlainStride<T, E, W>: IntTuple,
        )
        => <<Mask as BitsOfBoth<M>>::Output as AddApart<Plain<S, D, Twice>, Plain<T, E, W>>>::Output,
        (left: StridedLayout<S, D>, right: StridedLayout<T, E>) => {
            let ((s, d), (t, e)) = (left.into_parts(), right.into_parts());
            <Mask as BitsOfBoth<M>>::Output::add_apart(
                StridedLayout::assemble(s, d.node().with_natural().tree()),
                StridedLayout::assemble(t, e.node().with_natural().tree()),
            )
        };
}
/// The stride `D` of the shape `S`, with natural strides for the XOR strides that say the same: these have no bit of
/// `Twice`.
type PlainStride<S, D, Twice> =
    <<<D as Nested>::Node as WithNatural<<S as Nested>::Node, UnlessShared<Twice>>>::Output as Untangle>::Tree;
type Plain<S, D, Twice> = StridedLayout<S, PlainStride<S, D, Twice>>;

/// The sum of the layouts `A` and `B`, if `self`, the bits of XOR strides of both, are none.
pub trait AddApart<A, B> {
    type Output;
    fn add_apart(left: A, right: B) -> Result<Self::Output, Fault>;
}
cases! { AddApart::add_apart -> Result<Self::Output, Fault>:
    [U, V, A, B] UInt<U, V>, A, B where (Self: LowestPlace<Zero>)
        => Undefined<XorSum<<Self as LowestPlace<Zero>>::Output>>, (_: A, _: B) => Ok(Undefined::new());
    [A, B: Apply<operation::LayoutAdd, A, Output: IntoKinds>] UTerm, A, B
        => Merged<<B::Output as IntoKinds>::Output>,
        (left: A, right: B) => Ok(Merged(right.apply(left)?.into_kinds()));
}

/// A sum whose modes merge once each step has one stride.
pub struct Merged<R>(R);
cases! { IntoTogether::into_together -> Self::Output: [R, T] Merged<R>, T => Self, (self) => self; }
impl<Op, S, D, L: Coalesce> Outcome<Op> for Merged<DefinedOfKinds<S, D>>
where
    DefinedOfKinds<S, D>: Outcome<Op, Output = L>,
{
    type Output = L::Output;
    #[inline]
    fn outcome(self) -> Result<Self::Output, Fault> {
        L::evaluated(self.0.outcome()?).map_err(|error| error.fault())
    }
}
impl<Op, R> Outcome<Op> for Merged<Undefined<R>>
where
    Undefined<R>: Outcome<Op>,
{
    type Output = <Undefined<R> as Outcome<Op>>::Output;
    #[inline]
    fn outcome(self) -> Result<Self::Output, Fault> {
        self.0.outcome()
    }
}

// ---- steps --------------------------------------------------------------------------------------------------------

/// An XOR mode goes on in its bits behind a number of steps that is a power of two.
impl<X, S: IsPower<Output: AddBehindPower<Self, S, N, P, Q>>, N, P, Q> AddBehind<S, N, P, Q> for Xor<X> {
    type Output = <S::Output as AddBehindPower<Self, S, N, P, Q>>::Output;
    #[inline]
    fn add_behind(self, steps: S, extent: N, short: P, long: Q) -> Result<Self::Output, Fault> {
        S::Output::add_behind_power(self, steps, extent, short, long)
    }
}
/// [`AddBehind`] of the stride `D`; `self` is whether the number `S` is a power of two.
pub trait AddBehindPower<D, S, N, P, Q> {
    type Output;
    fn add_behind_power(stride: D, steps: S, extent: N, short: P, long: Q) -> Result<Self::Output, Fault>;
}
cases! { AddBehindPower::add_behind_power -> Result<Self::Output, Fault>:
    [D, S, N, P, Q] False, D, S, N, P, Q => Undefined<NoPowerOfTwo<S>>,
        (_: D, _: S, _: N, _: P, _: Q) => Ok(Undefined::new());
    [D: Number, S: Times<D> + Number, N: Number, P: AddModes<Cons<Mode<N, S::Output>, Q>>, Q] True, D, S, N, P, Q
        => P::Output,
        (stride: D, steps: S, extent: N, short: P, long: Q) => add_rest(stride, steps, extent, short, long);
}
cases! { AddBehind::add_behind -> Result<Self::Output, Fault>:
    [M, S: Times<Minus<M>> + Number, N: Number, P: AddModes<Cons<Mode<N, S::Output>, Q>>, Q] Minus<M>, S, N, P, Q
        where (Self: Number)
        => P::Output,
        (self, steps: S, extent: N, short: P, long: Q) => add_rest(self, steps, extent, short, long);
}

// Whether a mode goes on in a step in two parts is asked when that has one stride.
cases! { Same:
    [D, X] UTerm, InTwoParts<D, X> => False;
    [U, B, D, X] UInt<U, B>, InTwoParts<D, X> => False;
    [N, D, X] Xor<N>, InTwoParts<D, X> => False;
    [D, X, R] InTwoParts<D, X>, R => False;
}
cases! { Times::times -> Result<Self::Output, Fault>, for { [U B] UInt<U, B>; [] usize; [F] Multiple<F>; }:
    [D, X: Copy, Y: Number] Self, InTwoParts<D, X> where (Self: Times<D> + Times<Xor<X>, Output = Xor<Y>>)
        => InTwoParts<<Self as Times<D>>::Output, Y>,
        (&self, right: &InTwoParts<D, X>) => {
            let Xor(without) = self.times(&Xor(right.without))?;
            Ok(InTwoParts { natural: self.times(&right.natural)?, without })
        };
}
