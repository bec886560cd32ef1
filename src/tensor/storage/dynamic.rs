//! What a [`DynLayout`] promises.

use core::ops::RangeFull;

use crate::dynamic::{DynLayout, DynShape};
use crate::tensor::bounds::Modes;
use crate::tensor::order::Leaves;
use crate::tensor::storage::{Addressable, CoordinateIn, SliceIn};

// SAFETY: a `DynLayout` is made only if its size and its cosize fit `usize`. A congruent coordinate with every leaf below its extent has an
// offset below the cosize; `at(i)` splits `i < size` into such a coordinate, and `coords` counts through those. It never changes.
unsafe impl Addressable for DynLayout {
    fn modes(&self) -> Modes {
        let mut modes = Modes::new();
        let (shape, stride) = (self.shape(), self.stride());
        shape.leaves().iter().zip(stride.leaves()).for_each(|(&extent, &stride)| modes.push(extent, stride));
        modes
    }
    fn leaves(&self) -> Option<Leaves> {
        let mut leaves = Leaves::new();
        let (shape, stride) = (self.shape(), self.stride());
        let fit = shape.leaves().iter().zip(stride.leaves()).all(|(&extent, &stride)| leaves.push(extent, stride));
        fit.then_some(leaves)
    }
    fn reach(&self) -> Option<usize> {
        Some(self.cosize())
    }
    fn holds(&self, coordinate: &DynShape) -> bool {
        let shape = self.shape();
        coordinate.congruent(&shape)
            && coordinate.leaves().iter().zip(shape.leaves()).all(|(number, extent)| number < extent)
    }
    fn extents(&self) -> DynShape {
        self.shape()
    }
}

// SAFETY: `index(i)` is the offset of the `i`-th coordinate.
unsafe impl CoordinateIn<DynLayout> for usize {
    fn within(self, layout: &DynLayout) -> bool {
        self < layout.size()
    }
}
/// A congruent coordinate.
// SAFETY: see `Addressable::holds`.
unsafe impl CoordinateIn<DynLayout> for &DynShape {
    fn within(self, layout: &DynLayout) -> bool {
        layout.holds(self)
    }
}

/// A layout of rank 2 as its mode `kept`, and the offset of the number `i` in the other one.
fn mode_and_offset(layout: &DynLayout, kept: usize, i: usize) -> Option<(DynLayout, usize)> {
    match (layout.rank(), layout.mode(kept), layout.mode(1 - kept)) {
        (2, Ok(kept), Ok(fixed)) if i < fixed.size() => Some((kept, fixed.index(i))),
        _ => None,
    }
}
macro_rules! slices {
    ($($coordinate:ty, $slice:ident => $kept:literal, $number:expr;)*) => {
        $(
            // SAFETY: the offset of a coordinate is the sum of its modes' offsets, and the number is below the size of its mode.
            unsafe impl SliceIn<DynLayout> for $coordinate {
                type Output = DynLayout;
                fn within(self, layout: &DynLayout) -> bool {
                    let $slice = self;
                    mode_and_offset(layout, $kept, $number).is_some()
                }
                fn slice_in(self, layout: DynLayout) -> (DynLayout, usize) {
                    let $slice = self;
                    mode_and_offset(&layout, $kept, $number).unwrap_or((layout, 0))
                }
            }
        )*
    };
}
slices! {
    (RangeFull, usize), slice => 0, slice.1;
    (usize, RangeFull), slice => 1, slice.0;
}
