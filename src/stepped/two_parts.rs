//! A step along natural and XOR strides at once: the sum of a natural and an XOR stride.
//!
//! ```text
//! (4,4):(1,^4) o 4:5      5 is one step in 4:1 and one in 4:^4, together 1 and ^4
//! ```
//!
//! Whether one stride says as much depends on how many steps there are, and on the bits of all other modes. So a sum
//! stays in its two parts until the modes of a result are all there: then [`one_stride`](crate::stepped::one_stride)
//! makes one of it.

use core::fmt::{self, Debug, Formatter};

use typenum::{UInt, UTerm};

use crate::error::Fault;
use crate::list::Leaf;
use crate::number::int::{AddInt, StaticInt};
use crate::number::multiple::Multiple;
use crate::number::table::{Number, Plus, SealedNumber, StrideKind};
use crate::stepped::minus::Minus;
use crate::stepped::xor::Xor;
use crate::tuple::int_tuple::StaticNode;

/// A stride of `D` along natural modes and of `^X` along XOR modes. No layout that is handed out has one.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct InTwoParts<D, X> {
    pub(crate) natural: D,
    pub(crate) without: X,
}
impl<D: Number, X: Number> Debug for InTwoParts<D, X> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}+^{}", self.natural.get(), self.without.get())
    }
}
leaves! { [D X] InTwoParts<D, X>; }
impl<D, X> SealedNumber for InTwoParts<D, X> {}
/// Its number is that of the XOR stride that it may come to: the bits of both.
impl<D: Number, X: Number> Number for InTwoParts<D, X> {
    const STATIC: Option<usize> = match (D::STATIC, X::STATIC) {
        (Some(natural), Some(without)) => Some(natural | without),
        _ => None,
    };
    const STRIDE: StrideKind = StrideKind::Xor;
    #[inline(always)]
    fn get(self) -> usize {
        self.natural.get() | self.without.get()
    }
}
impl<D: StaticInt, X: StaticInt> StaticNode for Leaf<InTwoParts<D, X>> {}

/// The natural part `D` beside the XOR part `self`, of which there may be nothing left, or which may be natural too.
pub trait BesideNatural<D> {
    type Output: Number;
    fn beside_natural(self, natural: D) -> Self::Output;
}
cases! { BesideNatural::beside_natural -> Self::Output:
    [D: Number] UTerm, D => D, (self, natural: D) => natural;
    [U, B, D: AddInt<UInt<U, B>>] UInt<U, B>, D => D::Output, (self, _: D) => Default::default();
    [D: Number, N: Number] Xor<N>, D => InTwoParts<D, N>, (self, natural: D) => InTwoParts { natural, without: self.0 };
}

macro_rules! natural_plus_xor {
    ($([$($generic:ident)*] $natural:ty;)*) => {
        $(cases! { Plus::plus -> Result<Self::Output, Fault>:
            [N: Number, $($generic),*] Xor<N>, $natural where ($natural: Number) => InTwoParts<$natural, N>,
                (&self, right: &$natural) => Ok(self.beside_natural(*right));
            [N: Number, $($generic),*] $natural, Xor<N> where ($natural: Number) => InTwoParts<$natural, N>,
                (&self, right: &Xor<N>) => Ok(right.beside_natural(*self));
            [D: Number, X: Number, $($generic),*] $natural, InTwoParts<D, X> where ($natural: Plus<D>)
                => InTwoParts<<$natural as Plus<D>>::Output, X>,
                (&self, right: &InTwoParts<D, X>) =>
                    Ok(InTwoParts { natural: self.plus(&right.natural)?, without: right.without });
        })*
    };
}
natural_plus_xor! { [U B] UInt<U, B>; [] usize; [F] Multiple<F>; [M] Minus<M>; }
cases! { Plus::plus -> Result<Self::Output, Fault>:
    [N, D: Number, X: Number] Xor<N>, InTwoParts<D, X>
        where (Xor<N>: Plus<Xor<X>, Output: BesideNatural<D>> + Number)
        => <<Xor<N> as Plus<Xor<X>>>::Output as BesideNatural<D>>::Output,
        (&self, right: &InTwoParts<D, X>) => Ok(self.plus(&Xor(right.without))?.beside_natural(right.natural));
}
