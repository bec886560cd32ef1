//! The right operand of a composition whose strides are not all natural: which of its XOR modes say the same as natural
//! ones, and which bits the others have.
//!
//! ```text
//! (4,8):(^1,^4)      (4,8):(1,4): no step carries, and no two modes share a bit
//! (8,8):(^1,^9)      these are bits: 63, all that they reach
//! (4,6):(-1,4)       refused: no coordinate is negative
//! ```

use typenum::{UInt, UTerm};

use crate::algebra::compose::used_bits::{BitsUpTo, Carrying, CopiesOf, ShareNoBit, Union};
use crate::algebra::mode::Mode;
use crate::list::{Cons, Leaf, Nested, Nil, TreeOf, Untangle};
use crate::number::int::{AddInt, False, MulInt, One, SubInt, True};
use crate::number::table::RunTimeNumber;
use crate::refusal::undefined::Undefined;
use crate::refusal::{DynamicRightXor, NegativeCoordinate};
use crate::stepped::as_swizzle::{BitsOfBoth, Moved, OnceAndTwice};
use crate::stepped::minus::Minus;
use crate::stepped::xor::Xor;

// ---- the modes of XOR strides -------------------------------------------------------------------------------------

/// Of a list of modes those of XOR strides that move, as [`Moved`]. A mode that goes backwards is refused.
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
cases! { BehindXorMode:
    [S: SubInt<One>, N] Nil, S, N => Cons<Moved<S::Output, N>, Nil>;
    [S: SubInt<One>, N, M, T] Cons<M, T>, S, N => Cons<Moved<S::Output, N>, Self>;
    [R, S, N] Undefined<R>, S, N => Self;
}

// ---- natural ones among them --------------------------------------------------------------------------------------

/// The bits that the modes `self` reach, and those that two of them do, beside these.
pub trait BitsOfModes<Once, Twice> {
    type Output;
}
cases! { BitsOfModes:
    [Once, Twice] Nil, Once, Twice => OnceAndTwice<Once, Twice>;
    [L: CopiesOf<N, Output: BitsOfBoth<Once, Output: Union<Twice>> + Union<Once>>, N, T, Once, Twice]
        Cons<Moved<L, N>, T>, Once, Twice
        where (T: BitsOfModes<
            <L::Output as Union<Once>>::Output,
            <<L::Output as BitsOfBoth<Once>>::Output as Union<Twice>>::Output,
        >)
        => <T as BitsOfModes<
            <L::Output as Union<Once>>::Output,
            <<L::Output as BitsOfBoth<Once>>::Output as Union<Twice>>::Output,
        >>::Output;
}

/// Are these the bits of a mode that is a natural one: steps do not carry, and no bit is in `Twice`?
pub trait SaysAsNatural<Twice> {
    type Output;
}
cases! { SaysAsNatural:
    [Twice] Carrying, Twice => False;
    [U, B, Twice] UInt<U, B>, Twice where (Self: ShareNoBit<Twice>) => <Self as ShareNoBit<Twice>>::Output;
}
/// The bits of the modes `self` that are no natural ones, beside those of `Mask`.
pub trait MaskOf<Twice, Mask> {
    type Output;
}
cases! { MaskOf:
    [Twice, Mask] Nil, Twice, Mask => Mask;
    [L: MulInt<N> + CopiesOf<N>, N, T, Twice, Mask] Cons<Moved<L, N>, T>, Twice, Mask
        where (
            N: BitsUpTo<<L as MulInt<N>>::Output, Output: SaysAsNatural<Twice>>,
            <N::Output as SaysAsNatural<Twice>>::Output: MaskUnlessNatural<<L as CopiesOf<N>>::Output, Mask>,
            T: MaskOf<
                Twice,
                <<N::Output as SaysAsNatural<Twice>>::Output
                    as MaskUnlessNatural<<L as CopiesOf<N>>::Output, Mask>>::Output,
            >,
        )
        => <T as MaskOf<
            Twice,
            <<N::Output as SaysAsNatural<Twice>>::Output
                as MaskUnlessNatural<<L as CopiesOf<N>>::Output, Mask>>::Output,
        >>::Output;
}
/// The mask with `Bits`, unless `self` says that they are those of a natural mode.
pub trait MaskUnlessNatural<Bits, Mask> {
    type Output;
}
cases! { MaskUnlessNatural:
    [Bits, Mask] True, Bits, Mask => Mask;
    [Bits: Union<Mask>, Mask] False, Bits, Mask => Bits::Output;
}

/// The strides of the node `self`, of the shape's node `S`, with natural ones for the XOR strides that say the same.
pub trait WithNatural<S, Twice> {
    type Output;
    fn with_natural(self) -> Self::Output;
}
cases! { WithNatural::with_natural -> Self::Output:
    [Twice] Nil, Nil, Twice => Nil, (self) => Nil;
    [S, Twice] Leaf<UTerm>, S, Twice => Self, (self) => self;
    [U, B, S, Twice] Leaf<UInt<U, B>>, S, Twice => Self, (self) => self;
    [N: RunTimeNumber, S, Twice] Leaf<N>, S, Twice => Self, (self) => self;
    // One that goes backwards does not move here.
    [N, S, Twice] Leaf<Minus<N>>, S, Twice => Leaf<UTerm>, (self) => Leaf(UTerm);
    [N, Twice] Leaf<Xor<N>>, Leaf<UTerm>, Twice => Leaf<UTerm>, (self) => Leaf(UTerm);
    [N, Twice] Leaf<Xor<N>>, Leaf<One>, Twice => Leaf<UTerm>, (self) => Leaf(UTerm);
    [S: RunTimeNumber, Twice] Leaf<Xor<UTerm>>, Leaf<S>, Twice => Leaf<UTerm>, (self) => Leaf(UTerm);
    [U, A, B, Twice] Leaf<Xor<UTerm>>, Leaf<UInt<UInt<U, A>, B>>, Twice => Leaf<UTerm>, (self) => Leaf(UTerm);
    [U, A, B, V, C, Twice] Leaf<Xor<UInt<V, C>>>, Leaf<UInt<UInt<U, A>, B>>, Twice
        where (
            UInt<UInt<U, A>, B>: SubInt<One, Output: MulInt<UInt<V, C>>>,
            UInt<V, C>: BitsUpTo<LastOffset<UInt<UInt<U, A>, B>, UInt<V, C>>, Output: SaysAsNatural<Twice>>,
            <<UInt<V, C> as BitsUpTo<LastOffset<UInt<UInt<U, A>, B>, UInt<V, C>>>>::Output
                as SaysAsNatural<Twice>>::Output: NaturalOrXor<UInt<V, C>>,
        )
        => Leaf<<<<UInt<V, C> as BitsUpTo<LastOffset<UInt<UInt<U, A>, B>, UInt<V, C>>>>::Output
            as SaysAsNatural<Twice>>::Output as NaturalOrXor<UInt<V, C>>>::Output>,
        (self) => Leaf(Default::default());
    [H: Nested, T, D: Nested<Node: WithNatural<H::Node, Twice, Output: Untangle>>, U: WithNatural<T, Twice>, Twice]
        Cons<D, U>, Cons<H, T>, Twice
        => Cons<TreeOf<<D::Node as WithNatural<H::Node, Twice>>::Output>, U::Output>,
        (self) => Cons { head: self.head.node().with_natural().tree(), tail: self.tail.with_natural() };
}
/// `(S - 1) * N`
type LastOffset<S, N> = <<S as SubInt<One>>::Output as MulInt<N>>::Output;
/// The stride `N` or `^N`; `self` is whether it is natural.
pub trait NaturalOrXor<N> {
    type Output: Default;
}
cases! { NaturalOrXor:
    [N: Default] True, N => N;
    [N: Default] False, N => Xor<N>;
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
