//! Traits of layouts that can be drawn: static layouts, converted to run-time ones, and run-time
//! layouts.

use core::fmt::Display;

use layout_algebra::{
    ComposedLayout, DynComposedLayout, DynLayout, DynShape, DynStride, DynTiler, Fault, IntTuple,
    Layout, LayoutError, OffsetMap, StridedLayout, ToDynamic, ToFlat,
};

/// `L: Drawn`: the layout `L` can be drawn: its offsets are numbers, and it has a run-time form. A
/// [`StridedLayout`], a [`ComposedLayout`], [`DynLayout`] or [`DynComposedLayout`].
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_draw::{Draw, Drawn, Picture};
/// fn line<L: Drawn>(layout: &L) -> Result<Picture, LayoutError> {
///     layout.draw_memory()
/// }
/// assert_eq!(line(&layout!(3:2))?.svg(), line(&"3:2".parse::<DynLayout>()?)?.svg());
/// # Ok::<(), LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this cannot be drawn: layouts that give numbers as offsets can",
    label = "no layout of numbers"
)]
pub trait Drawn: ToDynamic<Dynamic: RunTimeLayout> {}
impl<L: ToDynamic<Dynamic: RunTimeLayout>> Drawn for L {}

/// A run-time layout, with the errors for layouts that cannot be drawn.
pub trait RunTimeLayout: Layout<Shape = DynShape, Offset = usize> + Display + ToFlat {
    /// The least offset, negated.
    #[doc(hidden)]
    fn base(&self) -> usize {
        0
    }
    /// The offset at index `i`, relative to the least offset.
    #[doc(hidden)]
    fn above_base(&self, i: usize) -> usize {
        self.at(i)
    }
    /// An error if offsets are negative: threads and copies are not.
    #[doc(hidden)]
    fn fault(&self) -> Option<Fault> {
        let offset = self.base();
        (offset != 0).then_some(Fault::Below { offset })
    }
    /// The form for the analysis, which takes natural strides, and XOR strides that are a swizzle
    /// of natural ones.
    #[doc(hidden)]
    fn fault_of_analysis(&self) -> Option<Fault>;
}
impl RunTimeLayout for DynLayout {
    fn base(&self) -> usize {
        self.base()
    }
    fn above_base(&self, i: usize) -> usize {
        match self.try_index(i).map_err(|error| error.fault()) {
            Err(Fault::Below { offset }) => self.base() - offset,
            offset => self.base() + offset.unwrap_or_else(|fault| panic!("{fault}")),
        }
    }
    fn fault_of_analysis(&self) -> Option<Fault> {
        let shape = self.shape();
        let moves = |kind: fn(DynStride) -> bool| {
            self.strides().zip(shape.leaves()).any(|(stride, &extent)| extent > 1 && kind(stride))
        };
        match self.fault() {
            Some(fault) => Some(fault),
            // An empty layout has no offset below 0.
            None if moves(|stride| matches!(stride, DynStride::Negative(_))) => {
                Some(Fault::NoNaturalStrides)
            }
            None if moves(|stride| matches!(stride, DynStride::Xor(_))) => {
                self.swizzled().err().map(|error| error.fault())
            }
            None => None,
        }
    }
}
impl<O: OffsetMap> RunTimeLayout for ComposedLayout<O, usize, DynLayout>
where
    Self: Layout<Shape = DynShape, Offset = usize> + Display + ToFlat,
{
    fn fault_of_analysis(&self) -> Option<Fault> {
        let is_natural =
            self.inner().strides().all(|stride| matches!(stride, DynStride::Natural(_)));
        (!is_natural).then_some(Fault::NoNaturalStrides)
    }
}

/// A run-time layout with composition and division within its kind.
pub trait Divided: RunTimeLayout + Sized {
    #[doc(hidden)]
    fn composed(&self, right: &DynTiler) -> Result<Self, LayoutError>;
    #[doc(hidden)]
    fn divided(&self, tiler: &DynTiler) -> Result<Self, LayoutError>;
    #[doc(hidden)]
    fn zipped(&self, tiler: &DynTiler) -> Result<Self, LayoutError>;
}
macro_rules! divided {
    ($($layout:ty),*) => { $(
        impl Divided for $layout {
            fn composed(&self, right: &DynTiler) -> Result<Self, LayoutError> {
                self.compose(right)
            }
            fn divided(&self, tiler: &DynTiler) -> Result<Self, LayoutError> {
                self.logical_divide(tiler)
            }
            fn zipped(&self, tiler: &DynTiler) -> Result<Self, LayoutError> {
                self.zipped_divide(tiler)
            }
        }
    )* };
}
divided!(DynLayout, DynComposedLayout);

/// `L: Plain`: the layout `L` is strided, without a swizzle: a [`StridedLayout`] or a
/// [`DynLayout`].
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_draw::{Draw, Picture, Plain};
/// fn halves<L: Plain>(layout: &L) -> Result<Picture, LayoutError> {
///     layout.draw_division(2)
/// }
/// assert_eq!(halves(&layout!(6))?.svg(), halves(&"6:1".parse::<DynLayout>()?)?.svg());
/// # Ok::<(), LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this is drawn of a layout of numbers without a swizzle",
    label = "no such layout",
    note = "it is a static layout, `layout!((4, 6))`, or a `DynLayout`"
)]
pub trait Plain: ToDynamic<Dynamic = DynLayout> {}
impl<S: IntTuple, D: IntTuple> Plain for StridedLayout<S, D> {}
impl Plain for DynLayout {}

/// `L: Swizzled`: the layout `L` is a strided one under a swizzle: a [`ComposedLayout`] or a
/// [`DynComposedLayout`].
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_draw::Swizzled;
/// fn text<L: Swizzled>(layout: &L) -> String {
///     layout.to_dynamic().to_string()
/// }
/// assert_eq!(text(&Swizzle::<3, 3, 3>::new().compose(layout!((8, 64): right))), "Sw<3,3,3> o 0 o (8,64):(64,1)");
/// ```
#[diagnostic::on_unimplemented(
    message = "this is drawn of a layout under a swizzle",
    label = "no such layout",
    note = "it is `Swizzle::<3, 3, 3>::new().compose(layout!((8, 64)))`, or a `DynComposedLayout`"
)]
pub trait Swizzled: ToDynamic<Dynamic = DynComposedLayout> {}
impl<O, F, L> Swizzled for ComposedLayout<O, F, L> where Self: ToDynamic<Dynamic = DynComposedLayout>
{}
