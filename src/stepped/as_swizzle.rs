//! Which bits of offsets several bits of a coordinate share: what is between XOR strides and natural ones.
//!
//! ```text
//! (8,8):(^1,^9)      bits 0, 1, 2 are in two strides each: 1 and 9, 2 and 18, 4 and 36
//! (2,2):(^3,^3)      the strides 3 and 3 share bits 0 and 1
//! ```
//!
//! [`find_swizzle`](crate::stepped::find_swizzle) looks for the swizzle that parts them.

use core::marker::PhantomData;

use typenum::{B0, B1, UInt, UTerm};

use crate::algebra::compose::used_bits::{BitsUpTo, Carrying, ShareNoBit, Union};
use crate::algebra::mode::Mode;
use crate::list::{Cons, Nil};
use crate::number::int::{AddInt, False, MulInt, One, StaticInt, SubInt, True};
use crate::stepped::xor::Xor;

// ---- modes that move ----------------------------------------------------------------------------------------------

/// A mode that moves: its last coordinate, and the number of its stride.
pub struct Moved<Last, N>(PhantomData<(Last, N)>);
/// The XOR modes of a layout.
pub struct OfXor;
/// Its natural modes.
pub struct OfNatural;

/// Of a list of static modes those that move and are `Which`, as [`Moved`].
pub trait MovedModes<Which> {
    type Output;
}
cases! { MovedModes:
    [Which] Nil, Which => Nil;
    [D, T: MovedModes<Which>, Which] Cons<Mode<UTerm, D>, T>, Which => T::Output;
    [D, T: MovedModes<Which>, Which] Cons<Mode<One, D>, T>, Which => T::Output;
    [U, A, B, T: MovedModes<Which>, Which] Cons<Mode<UInt<UInt<U, A>, B>, UTerm>, T>, Which => T::Output;
    [U, A, B, T: MovedModes<Which>, Which] Cons<Mode<UInt<UInt<U, A>, B>, Xor<UTerm>>, T>, Which => T::Output;
    [U, A, B, V, C, T: MovedModes<OfXor>] Cons<Mode<UInt<UInt<U, A>, B>, UInt<V, C>>, T>, OfXor => T::Output;
    [U, A, B, V, C, T: MovedModes<OfNatural>] Cons<Mode<UInt<UInt<U, A>, B>, Xor<UInt<V, C>>>, T>, OfNatural
        => T::Output;
    [U, A, B, V, C, T: MovedModes<OfNatural>] Cons<Mode<UInt<UInt<U, A>, B>, UInt<V, C>>, T>, OfNatural
        where (UInt<UInt<U, A>, B>: SubInt<One>)
        => Cons<Moved<<UInt<UInt<U, A>, B> as SubInt<One>>::Output, UInt<V, C>>, T::Output>;
    [U, A, B, V, C, T: MovedModes<OfXor>] Cons<Mode<UInt<UInt<U, A>, B>, Xor<UInt<V, C>>>, T>, OfXor
        where (UInt<UInt<U, A>, B>: SubInt<One>)
        => Cons<Moved<<UInt<UInt<U, A>, B> as SubInt<One>>::Output, UInt<V, C>>, T::Output>;
}

/// Do no two bits of coordinates of the modes `self` share a bit of offsets, nor one of `Used`? [`True`] or [`False`].
pub trait AllApart<Used> {
    type Output;
}
cases! { AllApart:
    [Used] Nil, Used => True;
    [L: MulInt<N>, N: BitsUpTo<L::Output, Output: ApartThen<T, Used>>, T, Used] Cons<Moved<L, N>, T>, Used
        => <N::Output as ApartThen<T, Used>>::Output;
}
/// [`AllApart`] of a mode of the bits `self`, and of the modes `T`.
pub trait ApartThen<T, Used> {
    type Output;
}
cases! { ApartThen:
    [T, Used] Carrying, T, Used => False;
    [U, B, T, Used] UInt<U, B>, T, Used where (Self: ShareNoBit<Used, Output: ApartAndThen<Self, T, Used>>)
        => <<Self as ShareNoBit<Used>>::Output as ApartAndThen<Self, T, Used>>::Output;
}
/// [`ApartThen`], if `self` says that the bits `Mine` are others.
pub trait ApartAndThen<Mine, T, Used> {
    type Output;
}
cases! { ApartAndThen:
    [Mine, T, Used] False, Mine, T, Used => False;
    [Mine: Union<Used>, T: AllApart<Mine::Output>, Used] True, Mine, T, Used => T::Output;
}

// ---- which bits are shared ----------------------------------------------------------------------------------------

/// The bits that both numbers have.
pub trait BitsOfBoth<R> {
    type Output: StaticInt;
}
cases! { BitsOfBoth:
    [R] UTerm, R => UTerm;
    [U, B] UInt<U, B>, UTerm => UTerm;
    [U: BitsOfBoth<V>, V] UInt<U, B0>, UInt<V, B0> => <U::Output as StaticInt>::Double;
    [U: BitsOfBoth<V>, V] UInt<U, B0>, UInt<V, B1> => <U::Output as StaticInt>::Double;
    [U: BitsOfBoth<V>, V] UInt<U, B1>, UInt<V, B0> => <U::Output as StaticInt>::Double;
    [U: BitsOfBoth<V>, V] UInt<U, B1>, UInt<V, B1> => <U::Output as StaticInt>::DoubleAndOne;
}

/// The bits of offsets that any bit of a coordinate has, and those that two have.
pub struct OnceAndTwice<Once, Twice>(PhantomData<(Once, Twice)>);
/// [`OnceAndTwice`] of the modes `self`, beside these.
pub trait SharedBitsOf<Once, Twice> {
    type Output;
}
cases! { SharedBitsOf:
    [Once, Twice] Nil, Once, Twice => OnceAndTwice<Once, Twice>;
    [L: BitByBit<N, Once, Twice, Once, Output: InModes<T>>, N, T, Once, Twice] Cons<Moved<L, N>, T>, Once, Twice
        => <L::Output as InModes<T>>::Output;
}
/// [`SharedBitsOf`] of the modes `T`, beside the bits `self`.
pub trait InModes<T> {
    type Output;
}
cases! { InModes: [Once, Twice, T: SharedBitsOf<Once, Twice>] OnceAndTwice<Once, Twice>, T => T::Output; }
/// [`OnceAndTwice`] with the mode of last coordinate `self` and stride `V`. Its highest bit is never set beside those
/// that would lead beyond the last coordinate, so that of its own bits it meets those in `Low`: up to the highest one
/// that the last coordinate has beside it.
pub trait BitByBit<V, Once, Twice, Low> {
    type Output;
}
cases! { BitByBit:
    [V: BitsOfBoth<Low, Output: Union<Twice>> + Union<Once>, Once, Twice, Low] One, V, Once, Twice, Low
        => OnceAndTwice<<V as Union<Once>>::Output, <<V as BitsOfBoth<Low>>::Output as Union<Twice>>::Output>;
    [U, A, V: BitsOfBoth<Once, Output: Union<Twice>> + Union<Once>, Once, Twice, Low]
        UInt<UInt<U, A>, B0>, V, Once, Twice, Low
        where (UInt<U, A>: BitByBit<
            UInt<V, B0>,
            <V as Union<Once>>::Output,
            <<V as BitsOfBoth<Once>>::Output as Union<Twice>>::Output,
            Low,
        >)
        => <UInt<U, A> as BitByBit<
            UInt<V, B0>,
            <V as Union<Once>>::Output,
            <<V as BitsOfBoth<Once>>::Output as Union<Twice>>::Output,
            Low,
        >>::Output;
    [U, A, V: BitsOfBoth<Once, Output: Union<Twice>> + Union<Once>, Once, Twice, Low]
        UInt<UInt<U, A>, B1>, V, Once, Twice, Low
        where (UInt<U, A>: BitByBit<
            UInt<V, B0>,
            <V as Union<Once>>::Output,
            <<V as BitsOfBoth<Once>>::Output as Union<Twice>>::Output,
            <V as Union<Once>>::Output,
        >)
        => <UInt<U, A> as BitByBit<
            UInt<V, B0>,
            <V as Union<Once>>::Output,
            <<V as BitsOfBoth<Once>>::Output as Union<Twice>>::Output,
            <V as Union<Once>>::Output,
        >>::Output;
}

// ---- the first two that share one ---------------------------------------------------------------------------------

/// Two bits of a coordinate that share a bit of offsets: their strides.
pub struct SharingPair<First, Second>(PhantomData<(First, Second)>);
/// None of a list does.
pub struct NoneSharing;

/// The first [`SharingPair`] of the modes `self` and the strides `Before`, the last one first.
pub trait FirstSharing<Before> {
    type Output;
}
cases! { FirstSharing:
    [Before] Nil, Before => NoneSharing;
    [L: SharingIn<N, Before, Before, Output: OrInModes<T>>, N, T, Before] Cons<Moved<L, N>, T>, Before
        => <L::Output as OrInModes<T>>::Output;
}
/// The pair `self`, or that of the modes `T` and the strides `self`.
pub trait OrInModes<T> {
    type Output;
}
cases! { OrInModes:
    [A, B, T] SharingPair<A, B>, T => Self;
    [A, B, T: FirstSharing<Self>] Cons<A, B>, T => T::Output;
}
/// The first pair of a mode of last coordinate `self` and stride `V` and the strides `Before`, or all of these. The
/// highest bit meets those in `Low`, as in [`BitByBit`].
pub trait SharingIn<V, Before, Low> {
    type Output;
}
cases! { SharingIn:
    [V, Before, Low: FirstWith<V, Output: PairOrBefore<V, Before>>] One, V, Before, Low
        => <Low::Output as PairOrBefore<V, Before>>::Output;
    [U, A, V, Before: FirstWith<V, Output: PairOrBefore<V, Before>>, Low] UInt<UInt<U, A>, B0>, V, Before, Low
        where (<Before::Output as PairOrBefore<V, Before>>::Output: SharingAbove<UInt<U, A>, UInt<V, B0>, Low>)
        => <<Before::Output as PairOrBefore<V, Before>>::Output as SharingAbove<UInt<U, A>, UInt<V, B0>, Low>>::Output;
    [U, A, V, Before: FirstWith<V, Output: PairOrBefore<V, Before>>, Low] UInt<UInt<U, A>, B1>, V, Before, Low
        where (<Before::Output as PairOrBefore<V, Before>>::Output: SharingAbove<
            UInt<U, A>,
            UInt<V, B0>,
            <Before::Output as PairOrBefore<V, Before>>::Output,
        >)
        => <<Before::Output as PairOrBefore<V, Before>>::Output as SharingAbove<
            UInt<U, A>,
            UInt<V, B0>,
            <Before::Output as PairOrBefore<V, Before>>::Output,
        >>::Output;
}
/// The pair `self`, or that of the bits above and the strides `self`.
pub trait SharingAbove<L, V, Low> {
    type Output;
}
cases! { SharingAbove:
    [A, B, L, V, Low] SharingPair<A, B>, L, V, Low => Self;
    [A, B, L: SharingIn<V, Self, Low>, V, Low] Cons<A, B>, L, V, Low => L::Output;
}
/// The first of the strides `self`, the last one first, that shares a bit with `V`: [`SharingPair`] or [`NoneSharing`].
pub trait FirstWith<V> {
    type Output;
}
cases! { FirstWith:
    [V] Nil, V => NoneSharing;
    [X: ShareNoBit<V>, T: FirstWith<V, Output: OrThisPair<X, V, X::Output>>, V] Cons<X, T>, V
        => <T::Output as OrThisPair<X, V, X::Output>>::Output;
}
/// The pair `self`, or that of `X` and `V`, unless they are `Apart`.
pub trait OrThisPair<X, V, Apart> {
    type Output;
}
cases! { OrThisPair:
    [A, B, X, V, Apart] SharingPair<A, B>, X, V, Apart => Self;
    [X, V] NoneSharing, X, V, True => NoneSharing;
    [X, V] NoneSharing, X, V, False => SharingPair<X, V>;
}
/// The pair `self`, or the strides `Before` and `V`.
pub trait PairOrBefore<V, Before> {
    type Output;
}
cases! { PairOrBefore:
    [A, B, V, Before] SharingPair<A, B>, V, Before => Self;
    [V, Before] NoneSharing, V, Before => Cons<V, Before>;
}

/// The lowest bit that a number has, as a power of two.
pub trait LowestBit {
    type Output: StaticInt;
}
cases! { LowestBit:
    [U] UInt<U, B1> => One;
    [U: LowestBit] UInt<U, B0> => UInt<U::Output, B0>;
}
/// The place of the lowest bit that a number has, counted from `Below` on.
pub trait LowestPlace<Below> {
    type Output;
}
cases! { LowestPlace:
    [U, Below] UInt<U, B1>, Below => Below;
    [U: LowestPlace<Below::Output>, Below: AddInt<One>] UInt<U, B0>, Below => U::Output;
}
