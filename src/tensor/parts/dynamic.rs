//! Tiles and partitions of tensors under a [`DynLayout`]: the same methods, checked at run time.

use crate::composed::DynComposedLayout;
use crate::dynamic::{DynLayout, DynSlice, IntoDynSlice, IntoDynTiler};
use crate::error::LayoutError;
use crate::layout::tiler::{Keep, Tiler};
use crate::layout::traits::Layout;
use crate::tensor::parts::deal::{Dealt, check_dealt};
use crate::tensor::parts::partition::{Inner, Outer, Partition};

/// A `_` for each mode of the first level.
fn keep_all(layout: &DynLayout) -> DynSlice {
    let keep = || core::iter::repeat_n(DynSlice::keep(), layout.rank());
    if layout.depth() == 0 { DynSlice::keep() } else { tuple(keep()) }
}
fn tuple(parts: impl IntoIterator<Item = DynSlice>) -> DynSlice {
    DynSlice::tuple(parts).expect("a layout has modes")
}

#[doc(hidden)]
impl<T: IntoDynTiler, C: IntoDynSlice> Partition<T, Inner<C>> for DynLayout {
    type Divided = DynLayout;
    type At = DynSlice;
    type Part = DynLayout;
    fn partition(
        self,
        tiler: T,
        coordinate: Inner<C>,
    ) -> Result<(DynLayout, DynSlice), LayoutError> {
        let divided = self.zipped_divide(tiler)?;
        let tile = keep_all(&divided.mode(0)?);
        Ok((divided, tuple([tile, coordinate.into_coordinate().into_dyn_slice()])))
    }
}
#[doc(hidden)]
impl<T: IntoDynTiler, C: IntoDynSlice> Partition<T, Outer<C>> for DynLayout {
    type Divided = DynLayout;
    type At = DynSlice;
    type Part = DynLayout;
    fn partition(
        self,
        tiler: T,
        coordinate: Outer<C>,
    ) -> Result<(DynLayout, DynSlice), LayoutError> {
        let divided = self.zipped_divide(tiler)?;
        Ok((divided, tuple([coordinate.into_coordinate().into_dyn_slice(), DynSlice::keep()])))
    }
}
#[doc(hidden)]
impl<T: IntoDynTiler, V> Partition<T, Dealt<V>> for DynLayout
where
    Tiler<(V, Keep)>: IntoDynTiler,
{
    type Divided = DynLayout;
    type At = DynSlice;
    type Part = DynLayout;
    fn partition(self, tiler: T, dealt: Dealt<V>) -> Result<(DynLayout, DynSlice), LayoutError> {
        let (tv, thread) = dealt.into_parts();
        let divided = self.zipped_divide(tiler)?;
        let dealt_out = divided.compose(Tiler::const_new((tv, Keep)))?;
        check_dealt(dealt_out.mode_size(0), divided.mode_size(0))?;
        let tiles = keep_all(&dealt_out.mode(1)?);
        Ok((dealt_out, tuple([tuple([DynSlice::from(thread), DynSlice::keep()]), tiles])))
    }
}

/// The partition of the inner layout, under the same swizzle and offset.
#[doc(hidden)]
impl<T, C> Partition<T, C> for DynComposedLayout
where
    DynLayout: Partition<T, C, Divided = DynLayout, At = DynSlice>,
{
    type Divided = DynComposedLayout;
    type At = DynSlice;
    type Part = DynComposedLayout;
    fn partition(
        self,
        tiler: T,
        coordinate: C,
    ) -> Result<(DynComposedLayout, DynSlice), LayoutError> {
        let (inner, at) = self.inner().partition(tiler, coordinate)?;
        // A result with XOR strides is no layout of memory: no storage accepts it.
        Ok((DynComposedLayout::const_new(self.outer(), self.offset(), inner), at))
    }
}
