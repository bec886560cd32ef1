//! What a [`DynLayout`] and a [`DynComposedLayout`] promise to memory.

use core::fmt::{self, Formatter};

use crate::algebra::modes::slice::Slice;
use crate::composed::{DynComposedLayout, InnerLayout};
use crate::dynamic::{DynCoordinate, DynLayout, DynShape, IntoDynShape, IntoDynSlice};
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::swizzle::DynSwizzle;
use crate::tensor::bounds::SortedModes;
use crate::tensor::memory::composed::{MOST_COORDINATES, is_undecided, searched_reach};
use crate::tensor::memory::order::ExtentsAndStrides;
use crate::tensor::memory::{Addressable, CoordinateIn, SliceIn};
use crate::tuple::interval::Window;

// SAFETY: a `DynLayout` is made only if its size and its cosize fit `usize`. A congruent coordinate
// with every leaf below its extent has an offset below the cosize; `at(i)` splits `i < size` into
// such a coordinate, and `coords` counts through those. It never changes. Where a stride is
// negative or an XOR stride there is no reach, and no tensor.
unsafe impl Addressable for DynLayout {
    type ShownShape = DynShape;
    fn modes(&self) -> SortedModes {
        if self.has_xor_strides() {
            return SortedModes::unknown();
        }
        let mut modes = SortedModes::new();
        let shape = self.shape();
        shape
            .leaves()
            .iter()
            .zip(self.strides())
            .for_each(|(&extent, stride)| modes.push(extent, stride.number()));
        modes
    }
    fn leaves(&self) -> Option<ExtentsAndStrides> {
        if !self.has_natural_strides() {
            return None;
        }
        let mut leaves = ExtentsAndStrides::new();
        let (shape, stride) = (self.shape(), self.stride());
        let fit = shape
            .leaves()
            .iter()
            .zip(stride.leaves())
            .all(|(&extent, &stride)| leaves.push(extent, stride));
        fit.then_some(leaves)
    }
    fn reach(&self) -> Option<usize> {
        // A layout with negative strides has to be moved first.
        if self.has_xor_strides() || self.has_negative_strides() {
            None
        } else {
            Some(self.cosize())
        }
    }
    fn no_reach(&self) -> Fault {
        if self.has_xor_strides() { Fault::XorInMemory } else { Fault::NoNaturalStrides }
    }
    fn counts_up(&self) -> bool {
        if !self.has_natural_strides() {
            return false;
        }
        let (shape, stride) = (self.shape(), self.stride());
        let mut leaves = shape.leaves().iter().zip(stride.leaves());
        let run_on = |before: usize, (&extent, &stride): (&usize, &usize)| match extent {
            1 => Some(before),
            _ if stride == before => before.checked_mul(extent),
            _ => None,
        };
        self.size() == 0 || leaves.try_fold(1, run_on).is_some()
    }
    fn holds(&self, coordinate: &DynShape) -> bool {
        let shape = self.shape();
        coordinate.congruent(&shape)
            && coordinate
                .leaves()
                .iter()
                .zip(shape.leaves())
                .all(|(number, extent)| number < extent)
    }
    fn extents(&self) -> DynShape {
        self.shape()
    }
}

// SAFETY: a number below the size of the part that it counts in is split into a coordinate of that
// part; see `Addressable`. `DynCoordinate` is sealed: what implements it has the same numbers each
// time.
#[doc(hidden)]
unsafe impl<C: DynCoordinate> CoordinateIn<DynLayout> for C {
    fn within(self, layout: &DynLayout) -> bool {
        layout.counts(self)
    }
    fn write_coordinate(self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.print())
    }
}

// SAFETY: the offset of a coordinate is the sum of its modes' offsets, and each number is below the
// size of its part of the shape. `IntoDynSlice` is sealed: what implements it converts to the same
// slice each time.
#[doc(hidden)]
unsafe impl<C: IntoDynSlice + Clone> SliceIn<DynLayout> for C {
    type Output = DynLayout;
    fn misfit(&self, layout: &DynLayout) -> Option<Fault> {
        let at = self.clone().into_dyn_slice();
        let is_within = layout.fixes_within(&at);
        if is_within && layout.has_natural_strides() {
            return None;
        }
        let error = layout.slice(&at).err();
        error.map(|error| error.fault()).or((!is_within).then_some(Fault::Coordinate))
    }
    fn slice_in(self, layout: DynLayout) -> (DynLayout, usize) {
        match layout.slice(&self.into_dyn_slice()) {
            Ok(sliced) => sliced,
            Err(_) => nothing(),
        }
    }
}
/// An empty layout, for a coordinate that is not `within`. It must not be the whole layout.
fn nothing() -> (DynLayout, usize) {
    (DynLayout::from(StridedLayout::assemble(0, 0)), 0)
}
// SAFETY: the window has the layout's own strides, and each of its leaves ends within the layout's:
// the offsets are sums of the origin's numbers and its own, each below the extent that it counts
// in. Each method converts its operands anew and uses the result of that one conversion: `misfit`
// is `None` only if a window could be made, and a window that is made here lies within the layout,
// whatever an earlier conversion returned.
#[doc(hidden)]
unsafe impl<C: IntoDynShape + Clone, W: IntoDynShape + Clone> SliceIn<DynLayout> for Window<C, W> {
    type Output = DynLayout;
    fn misfit(&self, layout: &DynLayout) -> Option<Fault> {
        let window = layout.window(self.origin.clone(), self.shape.clone());
        window.err().map(|error| error.fault())
    }
    fn slice_in(self, layout: DynLayout) -> (DynLayout, usize) {
        layout.window(self.origin, self.shape).unwrap_or_else(|_| nothing())
    }
}

// ---- swizzled -----------------------------------------------------------------------------------

impl DynComposedLayout {
    /// The layout with natural strides that has the same offsets, each as often: a mode with a
    /// negative stride begins at the offset of its last number. `None` if an offset below the
    /// swizzle would be negative, or there are XOR strides.
    fn forwards(&self) -> Option<DynComposedLayout> {
        let least = self.offset().checked_sub(self.inner_ref().base())?;
        Some(DynComposedLayout::const_new(self.outer(), least, self.inner_ref().forwards()?))
    }
    /// The same without what does not move, and modes that continue one another as one: no offset
    /// comes or goes.
    fn in_few_modes(&self) -> DynComposedLayout {
        DynComposedLayout::const_new(self.outer(), self.offset(), self.inner_ref().filter())
    }
}
// SAFETY: every coordinate has the offset `Sw(f + L(c))`, and `reach` is one past the largest of
// them, or `None` if `f + L(c)` or that leaves `usize`, or, with negative strides, `isize`. What
// `L` promises of coordinates, this layout does: the coordinates are those of `L`. The modes are
// those of `L` with the swizzle and the offset noted, and without signs, from the least offset on
// (`forwards`). Where the strides are natural, the leaves are those of `L`. With XOR strides there
// is no reach.
unsafe impl Addressable for DynComposedLayout {
    type ShownShape = DynShape;
    fn modes(&self) -> SortedModes {
        match self.forwards() {
            None => SortedModes::unknown(),
            Some(moved) if moved.outer() == DynSwizzle::IDENTITY && moved.offset() == 0 => {
                Addressable::modes(moved.inner_ref())
            }
            Some(moved) => {
                Addressable::modes(moved.inner_ref()).swizzled(moved.outer(), moved.offset())
            }
        }
    }
    fn below(&self) -> Option<(ExtentsAndStrides, usize, DynSwizzle)> {
        Some((self.inner_ref().leaves()?, self.offset(), self.outer()))
    }
    fn reach(&self) -> Option<usize> {
        if self.size() == 0 {
            return Some(0);
        }
        let moved = self.forwards()?;
        let end = moved.offset().checked_add(moved.inner_ref().cosize())?;
        if moved.inner_ref() != self.inner_ref() && end > isize::MAX as usize {
            return None;
        }
        if moved.outer() == DynSwizzle::IDENTITY {
            return Some(end);
        }
        let moved = moved.in_few_modes();
        searched_reach(&moved, moved.inner_ref().shape().leaves().len())
    }
    fn no_reach(&self) -> Fault {
        let base = self.inner_ref().base();
        let few = self.forwards().map(|moved| moved.in_few_modes());
        if few.is_some_and(|few| is_undecided(&few, few.inner_ref().shape().leaves().len())) {
            return Fault::ReachUndecided { most: MOST_COORDINATES };
        }
        match self.inner_ref().has_xor_strides() {
            true => Fault::XorInMemory,
            false if base > self.offset() => Fault::Below { offset: base - self.offset() },
            false => Fault::Overflow,
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
    fn write_coordinate(self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.print())
    }
}
macro_rules! slices_of_the_inner_layout {
    ($([$($generic:ident: $bound:ident),*] $slice:ty, $fixes:expr;)*) => {
        $(
            // SAFETY: the inner layout's slice, and its offset added below the swizzle: the offsets
            // of the coordinates with the fixed numbers in place.
            #[doc(hidden)]
            unsafe impl<$($generic: $bound + Clone),*> SliceIn<DynComposedLayout> for $slice {
                type Output = DynComposedLayout;
                fn misfit(&self, layout: &DynComposedLayout) -> Option<Fault> {
                    let inner = layout.inner_ref();
                    if inner.has_natural_strides() {
                        return SliceIn::<DynLayout>::misfit(self, inner);
                    }
                    let error = Slice::try_sliced(layout.clone(), self.clone()).err();
                    error.map(|error| error.fault()).or((!$fixes(self, inner)).then_some(Fault::Coordinate))
                }
                fn slice_in(self, layout: DynComposedLayout) -> (DynComposedLayout, usize) {
                    if !layout.inner_ref().has_natural_strides() {
                        let sliced = Slice::try_sliced(layout, self);
                        return sliced.unwrap_or_else(|_| (nothing().0.behind(DynSwizzle::IDENTITY, 0), 0));
                    }
                    let (inner, offset) = SliceIn::<DynLayout>::slice_in(self, layout.inner());
                    (DynComposedLayout::const_new(layout.outer(), layout.offset() + offset, inner), 0)
                }
            }
        )*
    };
}
slices_of_the_inner_layout! {
    [C: IntoDynSlice] C, |slice: &C, layout: &DynLayout| layout.fixes_within(&slice.clone().into_dyn_slice());
    // A window that reaches beyond the layout is none.
    [C: IntoDynShape, W: IntoDynShape] Window<C, W>, |_, _| true;
}
