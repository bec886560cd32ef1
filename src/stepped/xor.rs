//! XOR strides: products without carries, whose sum is XOR.
//!
//! ```text
//! c * ^d = ^(c (x) d)          ^a + ^b = ^(a ^ b)          1011 (x) 11 = 1011 ^ 10110 = 11101
//! ```
//!
//! The sum of a natural and of an XOR stride goes along both at once: `two_parts`.

use core::fmt::{self, Debug, Formatter};
use core::marker::PhantomData;

use typenum::{B0, B1, UInt, UTerm};

use crate::algebra::compose::one_mode::OfOneMode;
use crate::error::Fault;
use crate::list::Leaf;
use crate::number::int::{False, One, StaticInt, TwoBits};
use crate::number::multiple::Multiple;
use crate::number::show::{Show, ShowNode};
use crate::number::table::{Natural, Number, Plus, Same, SealedNumber, StrideKind, Times, without_carries};
use crate::refusal::undefined::Undefined;
use crate::refusal::{ByStride, Carry};
use crate::tuple::int_tuple::{IsStatic, StaticNode};

/// The XOR stride `^N`, a leaf of [`XorLayout`](crate::XorLayout): `c` steps go as far as the product without carries
/// of `c` and `N`, and what several modes go is XORed. `N` is a natural number, static or not.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::Xor;
/// let swizzled = XorLayout::new(shape!((8, 8)), (Xor::new(int!(1)), Xor::new(int!(9))));
/// assert_eq!(swizzled, layout!((8, 8):(^1, ^9)));
/// assert_eq!(swizzled.index((3, 5)), 3 ^ 5 ^ 5 << 3);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Xor<N>(pub(crate) N);

impl<N: Natural> Xor<N> {
    /// The XOR stride of a natural number.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::Xor;
    /// assert_eq!(format!("{:?}", Xor::new(9)), "^9");
    /// ```
    #[inline(always)]
    pub const fn new(number: N) -> Self {
        Xor(number)
    }
}
impl<N: Number> Debug for Xor<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "^{}", self.0.get())
    }
}
leaves! { [N] Xor<N>; }
impl<N> SealedNumber for Xor<N> {}
impl<N: Number> Number for Xor<N> {
    const STATIC: Option<usize> = N::STATIC;
    const STRIDE: StrideKind = StrideKind::Xor;
    #[inline(always)]
    fn largest(least: usize) -> Option<Self> {
        Some(Xor(N::largest(least)?))
    }
    #[inline(always)]
    fn get(self) -> usize {
        self.0.get()
    }
    #[inline(always)]
    fn without_carries(self, number: usize) -> usize {
        self.0.without_carries(number)
    }
}
impl<N: StaticInt> StaticNode for Leaf<Xor<N>> {}
cases! { IsStatic: [N] Leaf<Xor<N>> where (Leaf<N>: IsStatic) => <Leaf<N> as IsStatic>::Output; }
cases! { ShowNode: [N: Show] Leaf<Xor<N>> => Xor<N::Output>; }

// ---- bits ---------------------------------------------------------------------------------------------------------

/// `self ^ R`
pub trait XorInt<R> {
    type Output: StaticInt + TwoBits;
}
cases! { XorInt:
    [R: StaticInt + TwoBits] UTerm, R => R;
    [U, B] UInt<U, B>, UTerm where (Self: StaticInt) => Self;
    [] One, One => UTerm;
    [V, C] One, UInt<UInt<V, C>, B0> where (UInt<V, C>: StaticInt) => UInt<UInt<V, C>, B1>;
    [V, C] One, UInt<UInt<V, C>, B1> where (UInt<V, C>: StaticInt) => UInt<UInt<V, C>, B0>;
    [U, A] UInt<UInt<U, A>, B0>, One where (UInt<U, A>: StaticInt) => UInt<UInt<U, A>, B1>;
    [U, A] UInt<UInt<U, A>, B1>, One where (UInt<U, A>: StaticInt) => UInt<UInt<U, A>, B0>;
}
/// Two bits a step, the high one first.
macro_rules! xor_two_bits {
    ($($a1:ident $a0:ident, $b1:ident $b0:ident => $digit:ident;)*) => {
        $(impl<U: XorInt<V>, V> XorInt<UInt<UInt<V, $b1>, $b0>> for UInt<UInt<U, $a1>, $a0> {
            type Output = <U::Output as TwoBits>::$digit;
        })*
    };
}
xor_two_bits! {
    B0 B0, B0 B0 => Zero; B0 B0, B0 B1 => One; B0 B0, B1 B0 => Two; B0 B0, B1 B1 => Three;
    B0 B1, B0 B0 => One; B0 B1, B0 B1 => Zero; B0 B1, B1 B0 => Three; B0 B1, B1 B1 => Two;
    B1 B0, B0 B0 => Two; B1 B0, B0 B1 => Three; B1 B0, B1 B0 => Zero; B1 B0, B1 B1 => One;
    B1 B1, B0 B0 => Three; B1 B1, B0 B1 => Two; B1 B1, B1 B0 => One; B1 B1, B1 B1 => Zero;
}

/// `self (x) R`: the product without carries of two numbers, neither of which is 0.
pub trait MulBits<R> {
    type Output: StaticInt;
}
cases! { MulBits:
    [V, C] One, UInt<V, C> where (UInt<V, C>: StaticInt) => UInt<V, C>;
    [U, V, C] UInt<UInt<UInt<U, B0>, B0>, B0>, UInt<V, C> where (U: MulBits<UInt<V, C>>)
        => UInt<UInt<UInt<<U as MulBits<UInt<V, C>>>::Output, B0>, B0>, B0>;
    [U, V, C] UInt<UInt<UInt<U, B1>, B0>, B0>, UInt<V, C> where (UInt<U, B1>: MulBits<UInt<V, C>>)
        => UInt<UInt<<UInt<U, B1> as MulBits<UInt<V, C>>>::Output, B0>, B0>;
    [U, V, C] UInt<UInt<U, B1>, B0>, UInt<V, C> where (UInt<U, B1>: MulBits<UInt<V, C>>)
        => UInt<<UInt<U, B1> as MulBits<UInt<V, C>>>::Output, B0>;
    [U, A, V, C] UInt<UInt<U, A>, B1>, UInt<V, C>
        where (
            UInt<U, A>: MulBits<UInt<V, C>>,
            UInt<<UInt<U, A> as MulBits<UInt<V, C>>>::Output, B0>: XorInt<UInt<V, C>>,
        )
        => <UInt<<UInt<U, A> as MulBits<UInt<V, C>>>::Output, B0> as XorInt<UInt<V, C>>>::Output;
}

/// `a (x) b`, if it fits.
pub(crate) fn product(a: usize, b: usize) -> Result<usize, Fault> {
    match a != 0 && b != 0 && a.leading_zeros() + b.leading_zeros() + 1 < usize::BITS {
        true => Err(Fault::Overflow),
        false => Ok(without_carries(a, b)),
    }
}

// ---- products and sums --------------------------------------------------------------------------------------------

cases! { Times::times -> Result<Self::Output, Fault>:
    [U, B, V, C] UInt<U, B>, Xor<UInt<V, C>> where (Self: MulBits<UInt<V, C>>)
        => Xor<<Self as MulBits<UInt<V, C>>>::Output>,
        (&self, _: &Xor<UInt<V, C>>) => Ok(Default::default());
    [U, B] UInt<U, B>, Xor<usize> where (Self: StaticInt) => Xor<usize>,
        (&self, right: &Xor<usize>) => Ok(Xor(product(self.get(), right.0)?));
    [U, B, F: StaticInt] UInt<U, B>, Xor<Multiple<F>> where (Self: StaticInt) => Xor<usize>,
        (&self, right: &Xor<Multiple<F>>) => Ok(Xor(product(self.get(), right.0.get())?));
    [N: Number] usize, Xor<N> => Xor<usize>, (&self, right: &Xor<N>) => Ok(Xor(product(*self, right.0.get())?));
    [F: StaticInt, N: Number] Multiple<F>, Xor<N> => Xor<usize>,
        (&self, right: &Xor<N>) => Ok(Xor(product(self.get(), right.0.get())?));
}

/// The stride of as many bits: 0 is the natural one.
pub trait AsXor {
    type Output: Number + Default;
}
/// An XOR stride is no natural one; `Numbers` says whether their numbers are equal.
pub struct OfOtherKind<Numbers>(PhantomData<Numbers>);
cases! { AsXor:
    [] UTerm => UTerm;
    [U, B] UInt<U, B> where (Self: StaticInt) => Xor<Self>;
}

cases! { Plus::plus -> Result<Self::Output, Fault>:
    [N: Number] Xor<N>, UTerm => Self, (&self, _: &UTerm) => Ok(*self);
    [U, B, V, C] Xor<UInt<U, B>>, Xor<UInt<V, C>> where (UInt<U, B>: XorInt<UInt<V, C>, Output: AsXor>)
        => <<UInt<U, B> as XorInt<UInt<V, C>>>::Output as AsXor>::Output,
        (&self, _: &Xor<UInt<V, C>>) => Ok(Default::default());
    [U, B] Xor<UInt<U, B>>, Xor<usize> where (UInt<U, B>: StaticInt) => Xor<usize>,
        (&self, right: &Xor<usize>) => Ok(Xor(self.0.get() ^ right.0));
    [U, B, F: StaticInt] Xor<UInt<U, B>>, Xor<Multiple<F>> where (UInt<U, B>: StaticInt) => Xor<usize>,
        (&self, right: &Xor<Multiple<F>>) => Ok(Xor(self.0.get() ^ right.0.get()));
    [N: Number] Xor<usize>, Xor<N> => Xor<usize>, (&self, right: &Xor<N>) => Ok(Xor(self.0 ^ right.0.get()));
    [F: StaticInt, N: Number] Xor<Multiple<F>>, Xor<N> => Xor<usize>,
        (&self, right: &Xor<N>) => Ok(Xor(self.0.get() ^ right.0.get()));
}

cases! { Same:
    [N] UTerm, Xor<N> => False;
    [U, B, N] UInt<U, B>, Xor<N> => False;
    [N] Xor<N>, UTerm => False;
    [N: Same<UInt<U, B>>, U, B] Xor<N>, UInt<U, B> => OfOtherKind<N::Output>;
    [N] Xor<N>, usize => False;
    [N, F] Xor<N>, Multiple<F> => False;
}

// ---- refusals -----------------------------------------------------------------------------------------------------

cases! { OfOneMode::of_one_mode -> Self::Output:
    [A, N, E, Sum, S, M] Undefined<Carry<Sum, S, Xor<M>>>, A, N, E => Self, (self) => self;
}
/// An XOR stride is named in no message about natural ones.
impl<At, In, N> ByStride<At, In> for Xor<N> {
    type Output = In;
}
