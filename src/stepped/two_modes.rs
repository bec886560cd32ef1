//! The two modes of a divided layout, tiles and rests, as layouts of its kind.

use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::stepped::layout::SteppedLayout;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::semimodule::Semimodule;

/// The two modes of a divided layout, as layouts of its kind.
pub trait TwoModes {
    type First: Layout;
    type Second: Layout;
    fn two_modes(self) -> (Self::First, Self::Second);
}
impl TwoModes for StandIn {
    type First = Self;
    type Second = Self;
    fn two_modes(self) -> (Self, Self) {
        (self, self)
    }
}
impl<S0: IntTuple, S1: IntTuple, D0: IntTuple, D1: IntTuple> TwoModes for StridedLayout<(S0, S1), (D0, D1)> {
    type First = StridedLayout<S0, D0>;
    type Second = StridedLayout<S1, D1>;
    #[inline]
    fn two_modes(self) -> (Self::First, Self::Second) {
        let ((s0, s1), (d0, d1)) = self.into_parts();
        (StridedLayout::assemble(s0, d0), StridedLayout::assemble(s1, d1))
    }
}
impl<T: Semimodule, S0: IntTuple, S1: IntTuple, D0: IntTuple, D1: IntTuple> TwoModes
    for SteppedLayout<T, (S0, S1), (D0, D1)>
{
    type First = SteppedLayout<T, S0, D0>;
    type Second = SteppedLayout<T, S1, D1>;
    #[inline]
    fn two_modes(self) -> (Self::First, Self::Second) {
        let (first, second) = self.strided().two_modes();
        (SteppedLayout::assemble(first), SteppedLayout::assemble(second))
    }
}
