//! What a [`DynLayout`] promises, and one under a swizzle, a [`DynComposedLayout`].

use crate::composed::DynComposedLayout;
use crate::dynamic::{DynCoordinate, DynLayout, DynShape, IntoDynSlice};
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::tensor::bounds::SortedModes;
use crate::tensor::order::ExtentsAndStrides;
use crate::tensor::storage::composed::searched_reach;
use crate::tensor::storage::{Addressable, CoordinateIn, SliceIn};

// SAFETY: a `DynLayout` is made only if its size and its cosize fit `usize`. A congruent coordinate with every leaf
// below its extent has an offset below the cosize; `at(i)` splits `i < size` into such a coordinate, and `coords`
// counts through those. It never changes.
unsafe impl Addressable for DynLayout {
    type ShownShape = DynShape;
    fn modes(&self) -> SortedModes {
        let mut modes = SortedModes::new();
        let (shape, stride) = (self.shape(), self.stride());
        shape.leaves().iter().zip(stride.leaves()).for_each(|(&extent, &stride)| modes.push(extent, stride));
        modes
    }
    fn leaves(&self) -> Option<ExtentsAndStrides> {
        let mut leaves = ExtentsAndStrides::new();
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

// SAFETY: a number below the size of the part that it counts in is split into a coordinate of that part; see
// `Addressable`. `DynCoordinate` is sealed: what implements it has the same numbers each time.
#[doc(hidden)]
unsafe impl<C: DynCoordinate> CoordinateIn<DynLayout> for C {
    fn within(self, layout: &DynLayout) -> bool {
        layout.counts(self)
    }
}

// SAFETY: the offset of a coordinate is the sum of its modes' offsets, and each number is below the size of its part of
// the shape. `IntoDynSlice` is sealed: what implements it converts to the same slice each time.
#[doc(hidden)]
unsafe impl<C: IntoDynSlice + Clone> SliceIn<DynLayout> for C {
    type Output = DynLayout;
    fn within(&self, layout: &DynLayout) -> bool {
        layout.fixes_within(&self.clone().into_dyn_slice())
    }
    fn slice_in(self, layout: DynLayout) -> (DynLayout, usize) {
        match layout.slice_at(&self.into_dyn_slice()) {
            Ok(sliced) => sliced,
            // Not `within`: there is no such slice, and nothing in it. It must not be the whole layout.
            Err(_) => (DynLayout::from(StridedLayout::assemble(0, 0)), 0),
        }
    }
}

// ---- swizzled -----------------------------------------------------------------------------------------------------

// SAFETY: every coordinate has the offset `Sw(f + L(c))`, and `reach` is one past the largest of them, or `None` if
// `f + L(c)` or that leaves `usize`. What `L` promises of coordinates, this layout does: the coordinates are those of
// `L`. The modes are those of `L` with the swizzle and the offset noted.
unsafe impl Addressable for DynComposedLayout {
    type ShownShape = DynShape;
    fn modes(&self) -> SortedModes {
        Addressable::modes(&self.inner()).swizzled(self.outer(), self.offset())
    }
    fn reach(&self) -> Option<usize> {
        match self.inner().cosize() {
            0 => Some(0),
            span => {
                self.offset().checked_add(span)?;
                searched_reach(self, self.inner().shape().leaves().len())
            }
        }
    }
    fn reach_at_hand(&self) -> Option<usize> {
        if self.size() == 0 { Some(0) } else { None }
    }
    fn holds(&self, coordinate: &DynShape) -> bool {
        self.inner().holds(coordinate)
    }
    fn extents(&self) -> DynShape {
        self.inner().extents()
    }
}
// SAFETY: the offset is that of the inner layout's coordinate, moved and swizzled.
#[doc(hidden)]
unsafe impl<C: DynCoordinate> CoordinateIn<DynComposedLayout> for C {
    fn within(self, layout: &DynComposedLayout) -> bool {
        layout.inner_ref().counts(self)
    }
}
// SAFETY: the inner layout's slice, and its offset added below the swizzle: the offsets of the coordinates
// with the fixed numbers in place.
#[doc(hidden)]
unsafe impl<C: IntoDynSlice + Clone> SliceIn<DynComposedLayout> for C {
    type Output = DynComposedLayout;
    fn within(&self, layout: &DynComposedLayout) -> bool {
        SliceIn::<DynLayout>::within(self, &layout.inner())
    }
    fn slice_in(self, layout: DynComposedLayout) -> (DynComposedLayout, usize) {
        let (inner, offset) = SliceIn::<DynLayout>::slice_in(self, layout.inner());
        (DynComposedLayout::const_new(layout.outer(), layout.offset() + offset, inner), 0)
    }
}
