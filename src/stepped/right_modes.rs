//! The right operand of a composition whose strides are not all natural: which of its XOR modes say the same as natural
//! ones, and which bits the others have.
//!
//! ```text
//! (4,8):(^1,^4)      (4,8):(1,4): no step carries, and no two modes share a bit
//! (8,8):(^1,^9)      these are bits: 63, all that they reach
//! (4,6):(-1,4)       refused: no coordinate is negative
//! ```

use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use crate::algebra::compose::used_bits::{BitsUpTo, Carrying, CopiesOf, ShareNoBit, Union};
use crate::algebra::mode::{Mode, ModesOnto};
use crate::algebra::outcome::Defined;
use crate::list::{Cons, Leaf, Nested, Nil, TreeOf, Untangle};
use crate::number::int::{AddInt, False, MulInt, One, StaticInt, SubInt, True, Zero};
use crate::number::table::RunTimeNumber;
use crate::refusal::undefined::Undefined;
use crate::refusal::{DynamicRightXor, NegativeCoordinate};
use crate::stepped::as_swizzle::BitsOfBoth;
use crate::stepped::minus::Minus;
use crate::stepped::two_parts::{BesideNatural, InTwoParts};
use crate::stepped::xor::Xor;

// ---- the modes of XOR strides -------------------------------------------------------------------------------------

/// Of a list of modes those of XOR strides that move, each as [`LikeNatural`] or [`UnlikeNatural`]. A mode that goes
/// backwards is refused.
pub trait XorModesOf {
    type Output;
}
cases! { XorModesOf:
    [] Nil => Nil;
    [S, T: XorModesOf] Cons<Mode<S, UTerm>, T> => T::Output;
    [S, U, B, T: XorModesOf] Cons<Mode<S, UInt<U, B>>, T> => T::Output;
    [S, N: RunTimeNumber, T: XorModesOf] Cons<Mode<S, N>, T> => T::Output;
    [S, T: XorModesOf] Cons<Mode<S, Xor<UTerm>>, T> => T::Output;
    [V, C, T: XorModesOf] Cons<Mode<UTerm, Xor<UInt<V, C>>>, T> => T::Output;
    [V, C, T: XorModesOf] Cons<Mode<One, Xor<UInt<V, C>>>, T> => T::Output;
    [U, A, B, V, C, T: XorModesOf<Output: BehindXorMode<UInt<UInt<U, A>, B>, UInt<V, C>>>]
        Cons<Mode<UInt<UInt<U, A>, B>, Xor<UInt<V, C>>>, T>
        => <T::Output as BehindXorMode<UInt<UInt<U, A>, B>, UInt<V, C>>>::Output;
    // Of a result: a step in two parts has its XOR part among them.
    [U, A, B, D, V, C, T: XorModesOf<Output: BehindXorMode<UInt<UInt<U, A>, B>, UInt<V, C>>>]
        Cons<Mode<UInt<UInt<U, A>, B>, InTwoParts<D, UInt<V, C>>>, T>
        => <T::Output as BehindXorMode<UInt<UInt<U, A>, B>, UInt<V, C>>>::Output;
    [S, D, N: RunTimeNumber, T] Cons<Mode<S, InTwoParts<D, N>>, T> => Undefined<DynamicRightXor>;
    [S: RunTimeNumber, V, C, T] Cons<Mode<S, Xor<UInt<V, C>>>, T> => Undefined<DynamicRightXor>;
    [S, N: RunTimeNumber, T] Cons<Mode<S, Xor<N>>, T> => Undefined<DynamicRightXor>;
    [N, T: XorModesOf] Cons<Mode<UTerm, Minus<N>>, T> => T::Output;
    [N, T: XorModesOf] Cons<Mode<One, Minus<N>>, T> => T::Output;
    [U, A, B, N, T] Cons<Mode<UInt<UInt<U, A>, B>, Minus<N>>, T>
        => Undefined<NegativeCoordinate<UInt<UInt<U, A>, B>, N>>;
    [S: RunTimeNumber, N, T] Cons<Mode<S, Minus<N>>, T> => Undefined<NegativeCoordinate<S, N>>;
}
/// The XOR mode `S:^N` in front of those behind it.
pub trait BehindXorMode<S, N> {
    type Output;
}
macro_rules! behind_xor_mode {
    ($([$($generic:ident)*] $list:ty;)*) => {
        $(impl<S, N, $($generic),*> BehindXorMode<S, N> for $list
        where
            S: SubInt<One, Output: MulInt<N>>,
            N: BitsUpTo<LastOffset<S, N>, Output: BitsOfMode<S::Output, N>>,
        {
            type Output = Cons<<N::Output as BitsOfMode<S::Output, N>>::Output, Self>;
        })*
    };
}
behind_xor_mode! { [] Nil; [M T] Cons<M, T>; }
cases! { BehindXorMode: [R, S, N] Undefined<R>, S, N => Self; }

/// A mode with these bits, whose steps do not carry: by itself it says the same as a natural one.
pub struct LikeNatural<Bits>(PhantomData<Bits>);
/// A mode with these bits that says something else.
pub struct UnlikeNatural<Bits>(PhantomData<Bits>);
/// The mode of last coordinate `L` and stride `^N`; `self` are the bits of the natural mode.
pub trait BitsOfMode<L, N> {
    type Output;
}
cases! { BitsOfMode:
    [U, B, L, N] UInt<U, B>, L, N => LikeNatural<Self>;
    [L: CopiesOf<N>, N] Carrying, L, N => UnlikeNatural<L::Output>;
}

// ---- natural ones among them --------------------------------------------------------------------------------------

/// Do all of the modes `self` together say the same as natural ones? Steps do not carry, and no two modes share a bit,
/// nor one and `Before`.
pub trait AreNatural<Before> {
    type Output;
}
cases! { AreNatural:
    [Before] Nil, Before => True;
    [V, T, Before] Cons<UnlikeNatural<V>, T>, Before => False;
    [V: ShareNoBit<Before, Output: AndBehind<V, T, Before>>, T, Before] Cons<LikeNatural<V>, T>, Before
        => <V::Output as AndBehind<V, T, Before>>::Output;
}
/// [`AreNatural`] of a mode of the bits `Mine`, if `self` says so, and of those behind it, `T`.
pub trait AndBehind<Mine, T, Before> {
    type Output;
}
cases! { AndBehind:
    [Mine, T, Before] False, Mine, T, Before => False;
    [Mine: Union<Before>, T: AreNatural<Mine::Output>, Before] True, Mine, T, Before => T::Output;
}

/// The bits that two of the modes `self` reach, beside those of `Twice`; `Once` are those of the modes before.
pub trait BitsOfTwoModes<Once, Twice> {
    type Output;
}
macro_rules! shared_bits {
    ($($mode:ident)*) => {
        $(impl<V, T, Once, Twice> BitsOfTwoModes<Once, Twice> for Cons<$mode<V>, T>
        where
            V: BitsOfBoth<Once, Output: Union<Twice>> + Union<Once>,
            T: BitsOfTwoModes<<V as Union<Once>>::Output, <<V as BitsOfBoth<Once>>::Output as Union<Twice>>::Output>,
        {
            type Output = <T as BitsOfTwoModes<
                <V as Union<Once>>::Output,
                <<V as BitsOfBoth<Once>>::Output as Union<Twice>>::Output,
            >>::Output;
        })*
    };
}
shared_bits! { LikeNatural UnlikeNatural }
cases! { BitsOfTwoModes: [Once, Twice] Nil, Once, Twice => Twice; }

/// The bits of the modes `self` that are no natural ones, since they have one of `Twice`, beside those of `Mask`.
pub trait MaskOf<Twice, Mask> {
    type Output;
}
cases! { MaskOf:
    [Twice, Mask] Nil, Twice, Mask => Mask;
    [V: ShareNoBit<Twice, Output: MaskUnlessNatural<V, Mask>>, T, Twice, Mask] Cons<LikeNatural<V>, T>, Twice, Mask
        where (T: MaskOf<Twice, <V::Output as MaskUnlessNatural<V, Mask>>::Output>)
        => <T as MaskOf<Twice, <V::Output as MaskUnlessNatural<V, Mask>>::Output>>::Output;
    [V: Union<Mask>, T: MaskOf<Twice, V::Output>, Twice, Mask] Cons<UnlikeNatural<V>, T>, Twice, Mask => T::Output;
}
/// The mask with `Bits`, unless `self` says that they are those of a natural mode.
pub trait MaskUnlessNatural<Bits, Mask> {
    type Output;
}
cases! { MaskUnlessNatural:
    [Bits, Mask] True, Bits, Mask => Mask;
    [Bits: Union<Mask>, Mask] False, Bits, Mask => Bits::Output;
}

/// The stride `^N` of a mode of extent `S`, or the natural one; `self` says which strides are natural.
pub trait StrideOf<S, N> {
    type Output: Default;
}
/// All are.
pub struct AllNatural;
/// Those are whose steps do not carry and have no bit of `Twice`.
pub struct UnlessShared<Twice>(PhantomData<Twice>);
cases! { StrideOf:
    [S, N: StaticInt] AllNatural, S, N => N;
    [Twice, S: SubInt<One, Output: MulInt<N>>, N] UnlessShared<Twice>, S, N
        where (
            N: BitsUpTo<LastOffset<S, N>, Output: SaysAsNatural<Twice>>,
            <N::Output as SaysAsNatural<Twice>>::Output: NaturalOrXor<N>,
        )
        => <<N::Output as SaysAsNatural<Twice>>::Output as NaturalOrXor<N>>::Output;
}
/// Are these the bits of a mode that is a natural one: steps do not carry, and no bit is in `Twice`?
pub trait SaysAsNatural<Twice> {
    type Output;
}
cases! { SaysAsNatural:
    [Twice] Carrying, Twice => False;
    [U, B, Twice] UInt<U, B>, Twice where (Self: ShareNoBit<Twice>) => <Self as ShareNoBit<Twice>>::Output;
}
/// The strides of the node `self`, of the shape's node `S`, with natural ones for the XOR strides that [`StrideOf`] says.
pub trait WithNatural<S, Which> {
    type Output;
    fn with_natural(self) -> Self::Output;
}
cases! { WithNatural::with_natural -> Self::Output:
    [Which] Nil, Nil, Which => Nil, (self) => Nil;
    [S, Which] Leaf<UTerm>, S, Which => Self, (self) => self;
    [U, B, S, Which] Leaf<UInt<U, B>>, S, Which => Self, (self) => self;
    [N: RunTimeNumber, S, Which] Leaf<N>, S, Which => Self, (self) => self;
    // Of a right operand one that goes backwards does not move; in a sum it may.
    [N, Which] Leaf<Minus<N>>, Leaf<UTerm>, Which => Leaf<UTerm>, (self) => Leaf(UTerm);
    [N, Which] Leaf<Minus<N>>, Leaf<One>, Which => Leaf<UTerm>, (self) => Leaf(UTerm);
    [U, A, B, N, Which] Leaf<Minus<N>>, Leaf<UInt<UInt<U, A>, B>>, Which => Self, (self) => self;
    [S: RunTimeNumber, N, Which] Leaf<Minus<N>>, Leaf<S>, Which => Self, (self) => self;
    [N, Which] Leaf<Xor<N>>, Leaf<UTerm>, Which => Leaf<UTerm>, (self) => Leaf(UTerm);
    [N, Which] Leaf<Xor<N>>, Leaf<One>, Which => Leaf<UTerm>, (self) => Leaf(UTerm);
    [S: RunTimeNumber, Which] Leaf<Xor<UTerm>>, Leaf<S>, Which => Leaf<UTerm>, (self) => Leaf(UTerm);
    [U, A, B, Which] Leaf<Xor<UTerm>>, Leaf<UInt<UInt<U, A>, B>>, Which => Leaf<UTerm>, (self) => Leaf(UTerm);
    [U, A, B, V, C, Which: StrideOf<UInt<UInt<U, A>, B>, UInt<V, C>>]
        Leaf<Xor<UInt<V, C>>>, Leaf<UInt<UInt<U, A>, B>>, Which
        => Leaf<Which::Output>, (self) => Leaf(Default::default());
    [N, M, U, A, B, V, C, Which: StrideOf<UInt<UInt<U, A>, B>, UInt<V, C>, Output: BesideNatural<UInt<N, M>>>]
        Leaf<InTwoParts<UInt<N, M>, UInt<V, C>>>, Leaf<UInt<UInt<U, A>, B>>, Which
        => Leaf<<Which::Output as BesideNatural<UInt<N, M>>>::Output>,
        (self) => Leaf(Which::Output::default().beside_natural(self.0.natural));
    [D: RunTimeNumber, X, S, Which] Leaf<InTwoParts<D, X>>, S, Which => Self, (self) => self;
    [H: Nested, T, D: Nested<Node: WithNatural<H::Node, Which, Output: Untangle>>, U: WithNatural<T, Which>, Which]
        Cons<D, U>, Cons<H, T>, Which
        => Cons<TreeOf<<D::Node as WithNatural<H::Node, Which>>::Output>, U::Output>,
        (self) => Cons { head: self.head.node().with_natural().tree(), tail: self.tail.with_natural() };
}
/// `(S - 1) * N`
type LastOffset<S, N> = <<S as SubInt<One>>::Output as MulInt<N>>::Output;
/// The stride `N` or `^N`; `self` is whether it is natural.
pub trait NaturalOrXor<N> {
    type Output: Default;
}
cases! { NaturalOrXor:
    [N: StaticInt] True, N => N;
    [N: StaticInt] False, N => Xor<N>;
}

/// How far the natural modes of the list `self` reach together, and `Sum`: a static number, or [`Undefined`].
pub trait NaturalReach<Sum> {
    type Output;
}
cases! { NaturalReach:
    [Sum] Nil, Sum => Sum;
    [D, T: NaturalReach<Sum>, Sum] Cons<Mode<UTerm, D>, T>, Sum => T::Output;
    [D, T: NaturalReach<Sum>, Sum] Cons<Mode<One, D>, T>, Sum => T::Output;
    [S: RunTimeNumber, D, T, Sum] Cons<Mode<S, D>, T>, Sum => Undefined<DynamicRightXor>;
    [U, A, B, T: NaturalReach<Sum>, Sum] Cons<Mode<UInt<UInt<U, A>, B>, UTerm>, T>, Sum => T::Output;
    [U, A, B, N, T: NaturalReach<Sum>, Sum] Cons<Mode<UInt<UInt<U, A>, B>, Xor<N>>, T>, Sum => T::Output;
    [U, A, B, N: RunTimeNumber, T, Sum] Cons<Mode<UInt<UInt<U, A>, B>, N>, T>, Sum => Undefined<DynamicRightXor>;
    [U, A, B, V, C, T, Sum] Cons<Mode<UInt<UInt<U, A>, B>, UInt<V, C>>, T>, Sum
        where (
            UInt<UInt<U, A>, B>: SubInt<One, Output: MulInt<UInt<V, C>>>,
            Sum: AddInt<LastOffset<UInt<UInt<U, A>, B>, UInt<V, C>>>,
            T: NaturalReach<<Sum as AddInt<LastOffset<UInt<UInt<U, A>, B>, UInt<V, C>>>>::Output>,
        )
        => <T as NaturalReach<<Sum as AddInt<LastOffset<UInt<UInt<U, A>, B>, UInt<V, C>>>>::Output>>::Output;
}

/// A result with natural strides for those of XOR modes that say the same, as run time gives it.
pub trait Naturally {
    type Output;
    fn naturally(self) -> Self::Output;
}
cases! { Naturally::naturally -> Self::Output:
    [R] Undefined<R> => Self, (self) => self;
    [S: Nested, D: Nested] Defined<S, D>
        where (S::Node: ModesOnto<D::Node, Nil, Output: XorModesOf>, XorModesIn<S, D>: NaturalStrides<S, D>)
        => Defined<S, <XorModesIn<S, D> as NaturalStrides<S, D>>::Output>,
        (self) => Defined { shape: self.shape, stride: XorModesIn::<S, D>::natural_strides(self.stride) };
}
/// The XOR modes of the layout `S:D`.
pub type XorModesIn<S, D> =
    <<<S as Nested>::Node as ModesOnto<<D as Nested>::Node, Nil>>::Output as XorModesOf>::Output;
/// The strides `D` of the shape `S`, with natural ones for those of the XOR modes `self` that say the same.
pub trait NaturalStrides<S, D> {
    type Output;
    fn natural_strides(stride: D) -> Self::Output;
}
cases! { NaturalStrides::natural_strides -> Self::Output:
    [R, S, D] Undefined<R>, S, D => D, (stride: D) => stride;
    [S, D] Nil, S, D => D, (stride: D) => stride;
    [M, T, Twice, S: Nested, D: Nested<Node: WithNatural<S::Node, UnlessShared<Twice>, Output: Untangle>>]
        Cons<M, T>, S, D where (Self: BitsOfTwoModes<Zero, Zero, Output = Twice>)
        => <<D::Node as WithNatural<S::Node, UnlessShared<Twice>>>::Output as Untangle>::Tree,
        (stride: D) => stride.node().with_natural().tree();
}
