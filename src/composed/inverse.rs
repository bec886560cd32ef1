//! Inverses of swizzled layouts, which begin at offset 0.
//!
//! ```text
//! right_inverse(Sw o 0 o L) = right_inverse(L) o Sw o 0 o n:1
//!         n = size(right_inverse(L)), Sw([0, n)) = [0, n)
//! left_inverse(Sw o 0 o L)  = left_inverse(L)  o Sw o 0 o n:1
//! ```

use super::ComposedLayout;
use super::chain::Chain;
use super::outer::{Bijection, InnerLayout, OffsetMap};
use crate::algebra::traits::{LeftInverse, RightInverse};
use crate::error::{Fault, LayoutError};
use crate::layout::flat::{Maps, maps_keep};
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::number::int::{One, Zero};

/// `n:1` in the place of the inner layout of an inverse.
type UnitStrideLayout = StridedLayout<usize, One>;

impl<O, L> RightInverse for ComposedLayout<O, Zero, L>
where
    O: Bijection,
    L: RightInverse<Output: InnerLayout + OffsetMap> + InnerLayout,
{
    type Output = ComposedLayout<Chain<L::Output, O::Inverse>, Zero, UnitStrideLayout>;
    /// Refuses where the swizzle leads out of the domain of the inverse of the inner layout.
    fn evaluated(layout: Self) -> Result<Self::Output, LayoutError> {
        let (outer, offset, inner) = layout.into_parts();
        let inverse = RightInverse::evaluated(inner)?;
        let (size, swizzle) = (inverse.size(), outer.inverse());
        keeps(&swizzle.maps()?, size).map_err(|fault| LayoutError::new("right_inverse", fault))?;
        Ok(ComposedLayout::const_new(
            Chain::new(inverse, swizzle),
            offset,
            StridedLayout::assemble(size, One::default()),
        ))
    }
}

impl<O, L> LeftInverse for ComposedLayout<O, Zero, L>
where
    O: Bijection,
    L: LeftInverse<Output: InnerLayout + OffsetMap> + InnerLayout,
{
    type Output = ComposedLayout<Chain<L::Output, O::Inverse>, Zero, UnitStrideLayout>;
    fn evaluated(layout: Self) -> Result<Self::Output, LayoutError> {
        let (outer, offset, inner) = layout.into_parts();
        let inverse = LeftInverse::evaluated(inner)?;
        let size = inverse.size();
        Ok(ComposedLayout::const_new(
            Chain::new(inverse, outer.inverse()),
            offset,
            StridedLayout::assemble(size, One::default()),
        ))
    }
}

/// Do the swizzles map `[0, size)` onto itself?
pub(super) fn keeps(maps: &Maps, size: usize) -> Result<(), Fault> {
    match maps_keep(maps, size) {
        None => Ok(()),
        Some(divisor) => Err(Fault::Multiple { number: size, divisor }),
    }
}
