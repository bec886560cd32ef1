//! Compositions looked for bit by bit, where no rule knows what the modes come to.
//!
//! ```text
//! R(c) = A(B(c))                         each bit of c leads where it leads alone, and these are XORed, or added
//!
//! (4,4,6):(2912,^15,0) o 6:42            (2,3):(^5854,^15)     42 leads to 5854, 84 to 15 and 168 to 30
//! (8,2,3):(^12,128,0) o (2,2):(25,1)     (2,2):(140,12)        25 leads to 140, and 1 to 12
//! ```
//!
//! The images of single bits are the strides, if there are any. Whether there are is compared at every coordinate,
//! which costs the compiler as much as there are: no more than [`Most`], and only where nothing else has an answer.

use core::marker::PhantomData;

use typenum::{B0, B1, Equal, Greater, Less, UInt, UTerm};

use crate::algebra::coalesce::Unbounded;
use crate::algebra::compose::carry::ModesAndCarries;
use crate::algebra::compose::composition::ComposeNode;
use crate::algebra::compose::step_through::StepThrough;
use crate::algebra::mode::{Mode, ModesOnto};
use crate::algebra::outcome::Defined;
use crate::error::Fault;
use crate::list::{Cons, Nested, Nil, TreeOf, Untangle};
use crate::number::int::{AddInt, And, False, MulInt, One, Order, Same, StaticInt, True, Zero};
use crate::number::multiple::Multiple;
use crate::number::table::{Number, RunTimeNumber, Times};
use crate::refusal::Empty;
use crate::refusal::undefined::Undefined;
use crate::stepped::basis::Basis;
use crate::stepped::diagonal::Diagonal;
use crate::stepped::meet::{BitsInto, ImageOf, InUnitsOf};
use crate::stepped::minus::Minus;
use crate::stepped::right_modes::{AllNatural, Naturally, WithNatural};
use crate::stepped::two_parts::InTwoParts;
use crate::stepped::xor::{AsXor, MulBits, Xor, XorInt};
use crate::stepped::xor_modes::IsPower;
use crate::tuple::profile::SizeOf;

/// The largest size of a right operand whose offsets are followed.
type Most = typenum::U256;

// ---- what is looked for -------------------------------------------------------------------------------------------

/// The composition of the modes `A` with `self:D`, looked for bit by bit; or the reason `R`.
pub trait LookFor<R, A, D> {
    type Output;
    fn look_for(self, stride: D) -> Result<Self::Output, Fault>;
}
impl<R, A, S, D> LookFor<R, A, D> for S
where
    S: SizeOf<Output: AreFew<Most>> + ModesOnto<D, Nil, Output: AreKnown<Few<S>>>,
    A: AreKnown<RightKnown<S, D>, Output: LookForIf<R, A, S, D>>,
{
    type Output = <A::Output as LookForIf<R, A, S, D>>::Output;
    #[inline]
    fn look_for(self, stride: D) -> Result<Self::Output, Fault> {
        A::Output::look_for_if(self, stride)
    }
}
type Few<S> = <<S as SizeOf>::Output as AreFew<Most>>::Output;
type RightKnown<S, D> = <<S as ModesOnto<D, Nil>>::Output as AreKnown<Few<S>>>::Output;

/// Are there coordinates, and no more than `Limit`?
pub trait AreFew<Limit> {
    type Output;
}
cases! { AreFew:
    [Limit] UTerm, Limit => False;
    [U, B, Limit] UInt<U, B>, Limit where (Self: Order<Limit, Output: IsNotGreater>)
        => <<Self as Order<Limit>>::Output as IsNotGreater>::Output;
    [Limit] usize, Limit => False;
    [F, Limit] Multiple<F>, Limit => False;
}
/// Is the order one of these: less or equal?
pub trait IsNotGreater {
    type Output;
}
cases! { IsNotGreater: [] Less => True; [] Equal => True; [] Greater => False; }

/// Are the modes natural or XOR modes of static numbers, and is `So`?
pub trait AreKnown<So> {
    type Output;
}
cases! { AreKnown:
    [L] L, False => False;
    [] Nil, True => True;
    [D: IsKnownBefore<Unbounded, T>, T] Cons<Mode<Unbounded, D>, T>, True => D::Output;
    [U, B, D: IsKnownBefore<UInt<U, B>, T>, T] Cons<Mode<UInt<U, B>, D>, T>, True => D::Output;
    [D, T] Cons<Mode<UTerm, D>, T>, True => False;
    [N: RunTimeNumber, D, T] Cons<Mode<N, D>, T>, True => False;
}
/// [`AreKnown`] of a mode of the extent `S` and the stride `self`, and of the modes `T` behind it. A negative stride does
/// not count where it does not move.
pub trait IsKnownBefore<S, T> {
    type Output;
}
cases! { IsKnownBefore:
    [S, T: AreKnown<True>] UTerm, S, T => T::Output;
    [U, B, S, T: AreKnown<True>] UInt<U, B>, S, T => T::Output;
    [N: IsKnownBefore<S, T>, S, T] Xor<N>, S, T => N::Output;
    [D: IsKnownBefore<S, Nil, Output: And<X::Output>>, X: IsKnownBefore<S, T>, S, T] InTwoParts<D, X>, S, T
        => <D::Output as And<X::Output>>::Output;
    [N: RunTimeNumber, S, T] N, S, T => False;
    [N, T: AreKnown<True>] Minus<N>, One, T => T::Output;
    [N, U, A, B, T] Minus<N>, UInt<UInt<U, A>, B>, T => False;
    [N, T] Minus<N>, Unbounded, T => False;
    [J, K, S, T] Basis<J, K>, S, T => False;
    [J, K, S, T] Diagonal<J, K>, S, T => False;
}

/// [`LookFor`], where `self` is whether that is done.
pub trait LookForIf<R, A, S, D> {
    type Output;
    fn look_for_if(shape: S, stride: D) -> Result<Self::Output, Fault>;
}
cases! { LookForIf::look_for_if -> Result<Self::Output, Fault>:
    [R, A, S, D] False, R, A, S, D => Undefined<R>, (_: S, _: D) => Ok(Undefined::new());
    [R, A, S: Copy + ComposeNode<BitByBit<A, Xored>, D, Nil, Output: OrAdded<R, A, S, D>>, D: Copy] True, R, A, S, D
        => <S::Output as OrAdded<R, A, S, D>>::Output,
        (shape: S, stride: D) => {
            shape.compose_node(stride, &BitByBit::<A, Xored>(PhantomData))?.or_added(shape, stride)
        };
}
/// What XORing gives, `self`, or else what adding does, or else the reason `R`.
pub trait OrAdded<R, A, S, D> {
    type Output;
    fn or_added(self, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
cases! { OrAdded::or_added -> Result<Self::Output, Fault>:
    [R, A, S, D, SR, DR] Defined<SR, DR>, R, A, S, D where (Self: Naturally) => <Self as Naturally>::Output,
        (self, _: S, _: D) => Ok(self.naturally());
    [Q, R, A, S: ComposeNode<BitByBit<A, Added>, D, Nil, Output: AddedUp<R>>, D] Undefined<Q>, R, A, S, D
        => <S::Output as AddedUp<R>>::Output,
        (self, shape: S, stride: D) => Ok(shape.compose_node(stride, &BitByBit::<A, Added>(PhantomData))?.added_up());
}
/// What adding gives, with natural strides, or else the reason `R`.
pub trait AddedUp<R> {
    type Output;
    fn added_up(self) -> Self::Output;
}
cases! { AddedUp::added_up -> Self::Output:
    [R, S: Nested, D: Nested<Node: WithNatural<S::Node, AllNatural, Output: Untangle>>] Defined<S, D>, R
        => Defined<S, TreeOf<<D::Node as WithNatural<S::Node, AllNatural>>::Output>>,
        (self) => Defined { shape: self.shape, stride: self.stride.node().with_natural().tree() };
    [Q, R] Undefined<Q>, R => Undefined<R>, (self) => Undefined::new();
}

// ---- the images of bits -------------------------------------------------------------------------------------------

/// The modes `A` of a left operand as a function; `How` the images of bits are put together, [`Xored`] or [`Added`].
pub struct BitByBit<A, How>(PhantomData<(A, How)>);
/// Images are XORed.
pub struct Xored;
/// Images are added.
pub struct Added;

impl<A: OffsetAt<E, Zero, Zero>, How, E> ImageOf<E> for BitByBit<A, How> {
    type Output = A::Output;
}
/// The offset of the modes `self` at the coordinate `E`: the sum `Sum` of natural modes and the products `Products` of
/// XOR modes before them are part of it.
pub trait OffsetAt<E, Sum, Products> {
    type Output: StaticInt;
}
cases! { OffsetAt:
    [M, T, Sum: AddInt<Products>, Products] Cons<M, T>, UTerm, Sum, Products => Sum::Output;
    [Sum: AddInt<Products>, Products] Nil, UTerm, Sum, Products => Sum::Output;
    [D: DigitIn<UInt<U, B>, UTerm, Nil, Sum, Products>, U, B, Sum, Products]
        Cons<Mode<Unbounded, D>, Nil>, UInt<U, B>, Sum, Products
        => D::Output;
    [V, C, D, T, U, B, Sum, Products] Cons<Mode<UInt<V, C>, D>, T>, UInt<U, B>, Sum, Products
        where (
            UInt<V, C>: IsPower<Output: InUnitsOf<UInt<V, C>, UInt<U, B>>>,
            D: DigitIn<Within<UInt<V, C>, UInt<U, B>>, Behind<UInt<V, C>, UInt<U, B>>, T, Sum, Products>,
        )
        => D::Output;
}
type Within<S, E> = <<S as IsPower>::Output as InUnitsOf<S, E>>::Remainder;
type Behind<S, E> = <<S as IsPower>::Output as InUnitsOf<S, E>>::Quotient;
/// [`OffsetAt`] of a mode of the stride `self` at the digit `Digit`, and of the modes `T` behind it at `Rest`.
pub trait DigitIn<Digit, Rest, T, Sum, Products> {
    type Output: StaticInt;
}
cases! { DigitIn:
    [Digit, Rest, T: OffsetAt<Rest, Sum, Products>, Sum, Products] UTerm, Digit, Rest, T, Sum, Products => T::Output;
    [U, B, Rest, T: OffsetAt<Rest, Sum, Products>, Sum, Products] UInt<U, B>, UTerm, Rest, T, Sum, Products
        => T::Output;
    [U, B, V, C, Rest, T, Sum, Products] UInt<U, B>, UInt<V, C>, Rest, T, Sum, Products
        where (
            Self: MulInt<UInt<V, C>, Output: AddInt<Sum>>,
            T: OffsetAt<Rest, <<Self as MulInt<UInt<V, C>>>::Output as AddInt<Sum>>::Output, Products>,
        )
        => T::Output;
    // One that does not move.
    [N, Rest, T: OffsetAt<Rest, Sum, Products>, Sum, Products] Minus<N>, UTerm, Rest, T, Sum, Products => T::Output;
    [Digit, Rest, T: OffsetAt<Rest, Sum, Products>, Sum, Products] Xor<UTerm>, Digit, Rest, T, Sum, Products
        => T::Output;
    [U, B, Rest, T: OffsetAt<Rest, Sum, Products>, Sum, Products] Xor<UInt<U, B>>, UTerm, Rest, T, Sum, Products
        => T::Output;
    [U, B, V, C, Rest, T, Sum, Products] Xor<UInt<U, B>>, UInt<V, C>, Rest, T, Sum, Products
        where (
            UInt<V, C>: MulBits<UInt<U, B>, Output: XorInt<Products>>,
            T: OffsetAt<Rest, Sum, <<UInt<V, C> as MulBits<UInt<U, B>>>::Output as XorInt<Products>>::Output>,
        )
        => T::Output;
}

/// A mode that stands still.
impl<A, How, N: Number, Out, Steps> StepThrough<N, UTerm, Out, Steps> for BitByBit<A, How> {
    type Output = ModesAndCarries<Cons<Mode<N, Zero>, Out>, Steps>;
    #[inline]
    fn step_through(&self, shape: N, stride: UTerm, tail: Out) -> Result<Self::Output, Fault> {
        Ok(ModesAndCarries { out: Cons { head: Mode { shape, stride }, tail }, carries: PhantomData })
    }
}
impl<A, How, N, Out, Steps> StepThrough<One, Minus<N>, Out, Steps> for BitByBit<A, How> {
    type Output = ModesAndCarries<Cons<Mode<One, Zero>, Out>, Steps>;
    #[inline]
    fn step_through(&self, shape: One, _: Minus<N>, tail: Out) -> Result<Self::Output, Fault> {
        Ok(ModesAndCarries { out: Cons { head: Mode { shape, stride: UTerm }, tail }, carries: PhantomData })
    }
}
macro_rules! step_by_bits {
    ($($stride:ty;)*) => {
        $(impl<A, How, N, V, C, Out, Steps> StepThrough<N, $stride, Out, Steps> for BitByBit<A, How>
        where
            N: BitsInto<Self, UInt<V, C>, Out, Output: IfTheyLead<A, How, Cons<Mode<N, $stride>, Steps>>>,
        {
            type Output = <N::Output as IfTheyLead<A, How, Cons<Mode<N, $stride>, Steps>>>::Output;
            #[inline]
            fn step_through(&self, _: N, _: $stride, _: Out) -> Result<Self::Output, Fault> {
                Ok(N::Output::if_they_lead())
            }
        })*
    };
}
step_by_bits! { UInt<V, C>; Xor<UInt<V, C>>; }

/// The modes `self`, if they lead where `A` leads with the modes `Steps` of the right operand.
pub trait IfTheyLead<A, How, Steps> {
    type Output;
    fn if_they_lead() -> Self::Output;
}
cases! { IfTheyLead::if_they_lead -> Self::Output:
    [M, T, A, How, Steps: LeadsTo<A, How, Zero, Zero, Output: LetPass<Self, Steps>>] Cons<M, T>, A, How, Steps
        => <Steps::Output as LetPass<Self, Steps>>::Output, () => Steps::Output::let_pass();
    [R, A, How, Steps] Undefined<R>, A, How, Steps => Undefined<Empty>, () => Undefined::new();
}
/// The modes `Out` and the modes `Steps` that they came of, if `self` says so.
pub trait LetPass<Out, Steps> {
    type Output;
    fn let_pass() -> Self::Output;
}
cases! { LetPass::let_pass -> Self::Output:
    [Out: Default, Steps] True, Out, Steps => ModesAndCarries<Out, Steps>,
        () => ModesAndCarries { out: Default::default(), carries: PhantomData };
    [Out, Steps] False, Out, Steps => Undefined<Empty>, () => Undefined::new();
}

// ---- every coordinate ---------------------------------------------------------------------------------------------

/// Does `A` lead where the images of bits lead, at all coordinates of the modes `self` of a right operand? They begin
/// at `X`, a coordinate of `A`, and at the offset `R`. [`True`] or [`False`].
pub trait LeadsTo<A, How, X, R> {
    type Output;
}
cases! { LeadsTo:
    [A: OffsetAt<X, Zero, Zero, Output: Same<R>>, How, X, R] Nil, A, How, X, R => <A::Output as Same<R>>::Output;
    [N: LeadsAlong<D, T, A, How, X, R>, D, T, A, How, X, R] Cons<Mode<N, D>, T>, A, How, X, R => N::Output;
}
/// [`LeadsTo`] of a mode of extent `self` and stride `D`, and of the modes `T`.
pub trait LeadsAlong<D, T, A, How, X, R> {
    type Output;
}
cases! { LeadsAlong:
    [D, T: LeadsTo<A, How, X, R>, A, How, X, R] One, D, T, A, How, X, R => T::Output;
    // The even coordinates, and those one further.
    [U, C, D: StepFor<A, How>, T, A, How, X, R] UInt<UInt<U, C>, B0>, D, T, A, How, X, R
        where (
            UInt<U, C>: LeadsAlong<D::Twice, T, A, How, X, R>,
            <UInt<U, C> as LeadsAlong<D::Twice, T, A, How, X, R>>::Output:
                AndFrom<One, D, UInt<U, C>, D::Twice, T, A, How, X, R>,
        )
        => <<UInt<U, C> as LeadsAlong<D::Twice, T, A, How, X, R>>::Output
            as AndFrom<One, D, UInt<U, C>, D::Twice, T, A, How, X, R>>::Output;
    // All but the last one, and that.
    [U, C, D, T, A, How, X, R] UInt<UInt<U, C>, B1>, D, T, A, How, X, R
        where (
            UInt<UInt<U, C>, B0>: LeadsAlong<D, T, A, How, X, R>,
            <UInt<UInt<U, C>, B0> as LeadsAlong<D, T, A, How, X, R>>::Output:
                AndFrom<UInt<UInt<U, C>, B0>, D, One, D, T, A, How, X, R>,
        )
        => <<UInt<UInt<U, C>, B0> as LeadsAlong<D, T, A, How, X, R>>::Output
            as AndFrom<UInt<UInt<U, C>, B0>, D, One, D, T, A, How, X, R>>::Output;
}
/// If `self`, [`LeadsAlong`] of the mode `N:E`, `K` steps of `D` further.
pub trait AndFrom<K, D, N, E, T, A, How, X, R> {
    type Output;
}
cases! { AndFrom:
    [K, D, N, E, T, A, How, X, R] False, K, D, N, E, T, A, How, X, R => False;
    [K, D: StepFor<A, How>, N, E, T, A, How, X, R] True, K, D, N, E, T, A, How, X, R
        where (
            K: Times<D, Output: StepOn<X>> + Times<D::Image, Output: StepOn<R>>,
            N: LeadsAlong<
                E, T, A, How,
                <<K as Times<D>>::Output as StepOn<X>>::Output,
                <<K as Times<D::Image>>::Output as StepOn<R>>::Output,
            >,
        )
        => N::Output;
}

/// A stride of the right operand: twice that, and where it leads in the modes `A`, as a stride.
pub trait StepFor<A, How> {
    type Twice;
    type Image;
}
impl<U, B, A: OffsetAt<Self, Zero, Zero, Output: AsPartOf<How>>, How> StepFor<A, How> for UInt<U, B> {
    type Twice = UInt<Self, B0>;
    type Image = <A::Output as AsPartOf<How>>::Output;
}
impl<N, A: OffsetAt<N, Zero, Zero, Output: AsPartOf<How>>, How> StepFor<A, How> for Xor<N> {
    type Twice = Xor<UInt<N, B0>>;
    type Image = <A::Output as AsPartOf<How>>::Output;
}
/// The number as a stride whose steps are put together `How`.
pub trait AsPartOf<How> {
    type Output;
}
cases! { AsPartOf:
    [N: AsXor] N, Xored => N::Output;
    [N] N, Added => N;
}
/// The number `X`, a step of the stride `self` further.
pub trait StepOn<X> {
    type Output;
}
cases! { StepOn:
    [X] UTerm, X => X;
    [U, B, X] UInt<U, B>, X where (Self: AddInt<X>) => <Self as AddInt<X>>::Output;
    [N: XorInt<X>, X] Xor<N>, X => N::Output;
}
