//! Larger and smaller elements under XOR strides and negative ones.
//!
//! ```text
//! XOR       in units that are powers of two, as natural strides: bits are shifted
//! negative  a multiple of the unit stays one; steps back within a unit are refused
//! ```

use crate::algebra::common::RunOf;
use crate::algebra::outcome::Defined;
use crate::algebra::recast::{CountIf, ModeInParts};
use crate::algebra::upcast::{ModeInUnits, ReachOf};
use crate::error::Fault;
use crate::number::int::{False, NotExact, True};
use crate::number::table::{Exact, Quotient, Times};
use crate::refusal::undefined::Undefined;
use crate::refusal::{NoPowerOfTwo, Regroup};
use crate::stepped::convert::XorOrNatural;
use crate::stepped::minus::Minus;
use crate::stepped::xor::{OfOtherKind, Xor};
use crate::stepped::xor_modes::IsPower;

/// The natural mode `self` with an XOR stride, if there is one.
pub trait IntoXorMode {
    type Output;
    fn into_xor_mode(self) -> Self::Output;
}
cases! { IntoXorMode::into_xor_mode -> Self::Output:
    [S, D: XorOrNatural] Defined<S, D> => Defined<S, D::Linear>,
        (self) => Defined { shape: self.shape, stride: self.stride.linear() };
    [R] Undefined<R> => Self, (self) => self;
}

// ---- larger elements ----------------------------------------------------------------------------------------------

// They add nothing up within a unit.
cases! { ReachOf:
    [M, N, Sum] False, Xor<M>, N, Sum => Sum;
    [M, N, Sum] False, Minus<M>, N, Sum => Sum;
}

/// The quotient of the number of an XOR stride.
pub struct OfXor<Q>(Q);
/// The quotient of the number of a negative stride.
pub struct OfMinus<Q>(Q);
cases! { Quotient::quotient -> Option<Self::Output>:
    [M: Quotient<N>, N] Xor<M>, N => OfXor<<M as Quotient<N>>::Output>, (&self, right: &N) => self.0.quotient(right).map(OfXor);
    [M: Quotient<N>, N] Minus<M>, N => OfMinus<<M as Quotient<N>>::Output>,
        (&self, right: &N) => self.0.quotient(right).map(OfMinus);
}
cases! { ModeInUnits::in_units -> Option<Self::Output>:
    [Q, S, M, N: IsPower<Output: BitsInUnits<Q, S, M, N>>] OfXor<Q>, S, Xor<M>, N
        => <N::Output as BitsInUnits<Q, S, M, N>>::Output,
        (self, shape: S) => <N as IsPower>::Output::bits_in_units(self.0, shape);
    [Q, S, M, N] OfMinus<Exact<Q>>, S, Minus<M>, N => Defined<S, Minus<Q>>,
        (self, shape: S) => Some(Defined { shape, stride: Minus(self.0.0) });
    [S, M, N] OfMinus<NotExact>, S, Minus<M>, N => Undefined<Regroup<S, M, N>>, (self, _: S) => Some(Undefined::new());
}
/// The mode `S:^M` in units of `N`, if that is a power of two, which `self` says; `Q` is the quotient of the stride.
pub trait BitsInUnits<Q, S, M, N> {
    type Output;
    fn bits_in_units(quotient: Q, shape: S) -> Option<Self::Output>;
}
cases! { BitsInUnits::bits_in_units -> Option<Self::Output>:
    [Q, S, M, N] False, Q, S, M, N => Undefined<NoPowerOfTwo<N>>, (_: Q, _: S) => Some(Undefined::new());
    [Q: ModeInUnits<S, M, N, Output: IntoXorMode>, S, M, N] True, Q, S, M, N => <Q::Output as IntoXorMode>::Output,
        (quotient: Q, shape: S) => quotient.in_units(shape).map(IntoXorMode::into_xor_mode);
}

// ---- smaller elements, and what is contiguous ---------------------------------------------------------------------

// `^1` goes as far as `1`.
cases! { CountIf:
    [Numbers, Count] (False, OfOtherKind<Numbers>), Count where ((False, Numbers): CountIf<Count>)
        => <(False, Numbers) as CountIf<Count>>::Output;
}
cases! { RunOf::run_of -> Result<Self::Output, Fault>:
    [Numbers: RunOf<S, Inverse>, S, Inverse] OfOtherKind<Numbers>, S, Inverse => Numbers::Output,
        (extent: S, inverse: Inverse) => Numbers::run_of(extent, inverse);
}

cases! { ModeInParts::in_parts -> Result<Self::Output, Fault>:
    [Numbers, S, M, N: IsPower<Output: BitsInParts<Numbers, S, M, N>>] OfOtherKind<Numbers>, S, Xor<M>, N
        => <N::Output as BitsInParts<Numbers, S, M, N>>::Output,
        (shape: S, stride: Xor<M>) => <N as IsPower>::Output::bits_in_parts(shape, stride.0);
}
/// The mode `S:^M` in units of 1/`N`, if that is a power of two, which `self` says; `Numbers` is whether `M` is 1.
pub trait BitsInParts<Numbers, S, M, N> {
    type Output;
    fn bits_in_parts(shape: S, stride: M) -> Result<Self::Output, Fault>;
}
cases! { BitsInParts::bits_in_parts -> Result<Self::Output, Fault>:
    [Numbers, S, M, N] False, Numbers, S, M, N => Undefined<NoPowerOfTwo<N>>, (_: S, _: M) => Ok(Undefined::new());
    [Numbers: ModeInParts<S, M, N, Output: IntoXorMode>, S, M, N] True, Numbers, S, M, N
        => <Numbers::Output as IntoXorMode>::Output,
        (shape: S, stride: M) => Ok(Numbers::in_parts(shape, stride)?.into_xor_mode());
}
cases! { Times::times -> Result<Self::Output, Fault>:
    [M: Times<N>, N] Minus<M>, N => Minus<M::Output>, (&self, right: &N) => Ok(Minus(self.0.times(right)?));
}
