//! From static and mixed layouts to [`DynLayout`] and back.
//!
//! `TryFrom(DynLayout::from(l)) == l`; the conversion back checks the profile and every static
//! leaf.

use core::fmt::{self, Formatter};

use typenum::{UInt, UTerm};

use crate::dynamic::{DynLayout, DynShape, DynTiler};
use crate::error::{Fault, LayoutError, expect};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler};
use crate::list::{Cons, Nested, Nil};
use crate::number::int::StaticInt;
use crate::number::multiple::Multiple;
use crate::number::table::Number;
use crate::swizzle::{DynSwizzle, Swizzle};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::{Kind, Node};

// ---- to dynamic ---------------------------------------------------------------------------------

fn dyn_shape<T: Node>(node: T) -> DynShape {
    if const { matches!(T::KIND, Kind::Leaf) } {
        return DynShape::from(node.leaf());
    }
    let mut items = alloc::vec::Vec::new();
    each_item(node, &mut items);
    DynShape::tuple(items).expect("a tuple of a layout is not empty")
}

fn each_item<T: Node>(node: T, items: &mut alloc::vec::Vec<DynShape>) {
    if const { matches!(T::KIND, Kind::Cons) } {
        items.push(dyn_shape(node.head()));
        each_item(node.tail(), items);
    }
}

impl<S: IntTuple, D: IntTuple> From<StridedLayout<S, D>> for DynLayout {
    /// # Panics
    /// If the size or the cosize leaves `usize`.
    #[track_caller]
    fn from(layout: StridedLayout<S, D>) -> Self {
        let (shape, stride) = layout.into_parts();
        expect(DynLayout::new(dyn_shape(shape.node()), dyn_shape(stride.node())))
    }
}

/// Equal if shape and stride are, whether a number is static or not.
///
/// ```
/// use layout_algebra::prelude::*;
/// let (read, n) = ("(4,6):(6,1)".parse::<DynLayout>()?, 6);
/// assert_eq!(read, layout!((4, 6): right));
/// assert_eq!(layout!((4, n):(n, 1)), read);
/// assert_ne!(read, layout!((4, (3, 2)):(6, (1, 3)))); // the same function, another profile
/// # Ok::<(), LayoutError>(())
/// ```
impl<S: IntTuple, D: IntTuple> PartialEq<StridedLayout<S, D>> for DynLayout {
    fn eq(&self, other: &StridedLayout<S, D>) -> bool {
        let (shape, stride) = other.into_parts();
        self.has_natural_strides()
            && self.shape() == dyn_shape(shape.node())
            && self.stride() == dyn_shape(stride.node())
    }
}
impl<S: IntTuple, D: IntTuple> PartialEq<DynLayout> for StridedLayout<S, D> {
    fn eq(&self, other: &DynLayout) -> bool {
        other == self
    }
}

/// `L: ToDynamic`: the layout `L` converts into one whose rank is known only at run time, by
/// [`ToDynamic::to_dynamic`]. `TryFrom` converts back.
///
/// ```
/// use layout_algebra::prelude::*;
/// fn text<L: ToDynamic<Dynamic = DynLayout>>(layout: &L) -> String {
///     layout.to_dynamic().to_string()
/// }
/// let n = 6;
/// assert_eq!(
///     (text(&layout!((4, 6))), text(&layout!((4, n)))),
///     ("(4,6):(1,4)".into(), "(4,6):(1,4)".into())
/// );
/// let back: Layout!((4, _):(1, _)) = layout!((4, n)).to_dynamic().try_into()?;
/// assert_eq!(back, layout!((4, n)));
/// # Ok::<(), LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this is nothing that has a form known only at run time",
    label = "`{Self}`: no layout of numbers, no tiler and no swizzle",
    note = "`DynLayout` and `DynComposedLayout` are strided layouts, and those under one swizzle"
)]
pub trait ToDynamic {
    /// [`DynLayout`], [`DynComposedLayout`](crate::DynComposedLayout), [`DynTiler`] or
    /// [`DynSwizzle`](crate::DynSwizzle); of a [`Chain`](crate::composed::Chain) a chain of these,
    /// and of a layout under it a [`ComposedLayout`](crate::ComposedLayout) under that.
    type Dynamic;
    /// The same, known only at run time.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let l: DynLayout = layout!((4, (2, 3)): right).to_dynamic();
    /// assert_eq!(l.to_string(), "(4,(2,3)):(6,(3,1))");
    /// let swizzled: DynComposedLayout = Swizzle::<2, 0, 2>::new().compose(layout!((4, 4))).to_dynamic();
    /// assert_eq!(swizzled.to_string(), "Sw<2,0,2> o 0 o (4,4):(1,4)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// # Panics
    /// If the size or the cosize of a layout leaves `usize`.
    fn to_dynamic(&self) -> Self::Dynamic;
}
impl<S: IntTuple, D: IntTuple> ToDynamic for StridedLayout<S, D> {
    type Dynamic = DynLayout;
    #[track_caller]
    fn to_dynamic(&self) -> DynLayout {
        (*self).into()
    }
}
impl ToDynamic for DynLayout {
    type Dynamic = DynLayout;
    fn to_dynamic(&self) -> DynLayout {
        self.clone()
    }
}
impl<T: Nested<Node: DynEntries> + Copy> ToDynamic for Tiler<T> {
    type Dynamic = DynTiler;
    fn to_dynamic(&self) -> DynTiler {
        (*self).into()
    }
}
impl ToDynamic for DynTiler {
    type Dynamic = DynTiler;
    fn to_dynamic(&self) -> DynTiler {
        self.clone()
    }
}
impl<const B: u32, const M: u32, const S: i32> ToDynamic for Swizzle<B, M, S> {
    type Dynamic = DynSwizzle;
    fn to_dynamic(&self) -> DynSwizzle {
        Self::DYNAMIC
    }
}
impl ToDynamic for DynSwizzle {
    type Dynamic = DynSwizzle;
    fn to_dynamic(&self) -> DynSwizzle {
        *self
    }
}
#[diagnostic::do_not_recommend]
impl ToDynamic for RefusedLayout {
    type Dynamic = RefusedLayout;
    fn to_dynamic(&self) -> RefusedLayout {
        *self
    }
}
macro_rules! refused_conversions {
    ($($dynamic:ident)*) => {
        $(impl From<RefusedLayout> for $dynamic {
            fn from(_: RefusedLayout) -> Self {
                DynLayout::left(&DynShape::from(1)).into()
            }
        })*
    };
}
refused_conversions! { DynLayout DynTiler }
impl<S: IntTuple, D: IntTuple> From<StridedLayout<S, D>> for DynTiler {
    fn from(layout: StridedLayout<S, D>) -> Self {
        DynTiler::from(DynLayout::from(layout))
    }
}
impl<U, B> From<UInt<U, B>> for DynTiler
where
    UInt<U, B>: IntTuple,
{
    fn from(number: UInt<U, B>) -> Self {
        DynTiler::from(number.size())
    }
}
impl<N: StaticInt> From<Multiple<N>> for DynTiler {
    fn from(number: Multiple<N>) -> Self {
        DynTiler::from(number.get())
    }
}
impl From<Keep> for DynTiler {
    fn from(_: Keep) -> Self {
        DynTiler::keep()
    }
}
impl<T: Nested<Node: DynEntries>> From<Tiler<T>> for DynTiler {
    fn from(tiler: Tiler<T>) -> Self {
        let mut entries = alloc::vec::Vec::new();
        tiler.entries().dyn_entries(&mut entries);
        DynTiler::tuple(entries).expect("a tiler is not empty")
    }
}

/// The entries of a tiler as dynamic ones.
pub trait DynEntries {
    #[doc(hidden)]
    fn dyn_entries(self, entries: &mut alloc::vec::Vec<DynTiler>);
}
impl DynEntries for Nil {
    fn dyn_entries(self, _: &mut alloc::vec::Vec<DynTiler>) {}
}
impl<H: Into<DynTiler>, T: DynEntries> DynEntries for Cons<H, T> {
    fn dyn_entries(self, entries: &mut alloc::vec::Vec<DynTiler>) {
        entries.push(self.head.into());
        self.tail.dyn_entries(entries);
    }
}

impl From<UTerm> for DynShape {
    fn from(_: UTerm) -> Self {
        DynShape::from(0)
    }
}
impl<U, B> From<UInt<U, B>> for DynShape
where
    UInt<U, B>: IntTuple,
{
    fn from(number: UInt<U, B>) -> Self {
        DynShape::from(number.size())
    }
}

impl<N: StaticInt> From<Multiple<N>> for DynShape {
    fn from(number: Multiple<N>) -> Self {
        DynShape::from(number.get())
    }
}

// ---- and back -----------------------------------------------------------------------------------

/// An integer tuple that can be read from a dynamic one of the same profile whose leaves agree with
/// the static ones.
pub trait FromDynShape: Sized {
    /// `leaf` counts the leaves before, for the message.
    #[doc(hidden)]
    fn from_dyn_shape(shape: &DynShape, leaf: &mut usize) -> Result<Self, Fault>;
    /// Writes the form of such a tuple: `_` for a number known only at run time.
    #[doc(hidden)]
    fn expect(f: &mut Formatter<'_>) -> fmt::Result;
    /// The same in a tiler, where `_` leaves a mode alone.
    #[doc(hidden)]
    #[cfg(feature = "serde")]
    fn expect_in_tiler(f: &mut Formatter<'_>) -> fmt::Result {
        Self::expect(f)
    }
}
impl FromDynShape for usize {
    #[cfg(feature = "serde")]
    fn expect_in_tiler(f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("usize")
    }
    fn expect(f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("_")
    }
    fn from_dyn_shape(shape: &DynShape, leaf: &mut usize) -> Result<Self, Fault> {
        *leaf += 1;
        shape.as_leaf().ok_or(Fault::Incongruent)
    }
}
impl<N: StaticInt> FromDynShape for Multiple<N> {
    fn expect(f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}*_", N::VALUE)
    }
    fn from_dyn_shape(shape: &DynShape, leaf: &mut usize) -> Result<Self, Fault> {
        Multiple::new(usize::from_dyn_shape(shape, leaf)?).map_err(|error| error.fault())
    }
}
macro_rules! static_leaves {
    ($([$($generic:ident)*] $number:ty;)*) => {
        $(impl<$($generic),*> FromDynShape for $number where Self: IntTuple + Default {
            fn expect(f: &mut Formatter<'_>) -> fmt::Result {
                write!(f, "{}", Self::default().size())
            }
            fn from_dyn_shape(shape: &DynShape, leaf: &mut usize) -> Result<Self, Fault> {
                let (number, position) = (Self::default(), *leaf);
                let (expected, found) = (number.size(), usize::from_dyn_shape(shape, leaf)?);
                if found == expected { Ok(number) } else { Err(Fault::Leaf { leaf: position, expected, found }) }
            }
        })*
    };
}
static_leaves! { [] UTerm; [U B] UInt<U, B>; }
macro_rules! tuples_from_dyn {
    ($($Item:ident $item:ident)+) => {
        impl<$($Item: FromDynShape),+> FromDynShape for ($($Item,)+) {
            fn expect(f: &mut Formatter<'_>) -> fmt::Result {
                let items = [$($Item::expect as fn(&mut Formatter<'_>) -> fmt::Result),+];
                f.write_str("(")?;
                for (k, item) in items.into_iter().enumerate() {
                    f.write_str(if k > 0 { "," } else { "" })?;
                    item(f)?;
                }
                f.write_str(")")
            }
            fn from_dyn_shape(shape: &DynShape, leaf: &mut usize) -> Result<Self, Fault> {
                if shape.as_leaf().is_some() {
                    return Err(Fault::Incongruent);
                }
                let mut modes = shape.children();
                $(let $item = $Item::from_dyn_shape(&modes.next().ok_or(Fault::Incongruent)?, leaf)?;)+
                if modes.next().is_some() { Err(Fault::Incongruent) } else { Ok(($($item,)+)) }
            }
        }
        impl<$($Item: IntTuple),+> From<($($Item,)+)> for DynShape {
            fn from(tuple: ($($Item,)+)) -> Self {
                dyn_shape(tuple.node())
            }
        }
        impl<T: IntTuple> From<[T; [$(stringify!($Item)),+].len()]> for DynShape {
            fn from(items: [T; [$(stringify!($Item)),+].len()]) -> Self {
                dyn_shape(items.node())
            }
        }
    };
}
each_arity!(tuples_from_dyn);

impl<S: FromDynShape, D: FromDynShape> TryFrom<&DynLayout> for StridedLayout<S, D> {
    type Error = LayoutError;
    /// # Errors
    /// `profile` if the profile is another one, or a static leaf another number; `stride` if a
    /// stride is no natural number.
    fn try_from(layout: &DynLayout) -> Result<Self, LayoutError> {
        let refuse = |fault| LayoutError::new("from_dynamic", fault).with_operand(layout);
        if !layout.has_natural_strides() {
            return Err(refuse(Fault::NoNaturalStrides));
        }
        let leaf = &mut 0;
        let shape = S::from_dyn_shape(&layout.shape(), leaf).map_err(refuse)?;
        let stride = D::from_dyn_shape(&layout.stride(), leaf).map_err(refuse)?;
        Ok(StridedLayout::assemble(shape, stride))
    }
}
impl<S: FromDynShape, D: FromDynShape> TryFrom<DynLayout> for StridedLayout<S, D> {
    type Error = LayoutError;
    fn try_from(layout: DynLayout) -> Result<Self, LayoutError> {
        Self::try_from(&layout)
    }
}
