//! From static and mixed layouts to [`DynLayout`] and back.
//!
//! `TryFrom(DynLayout::from(l)) == l`; the way back checks the profile and every static leaf.

use core::fmt::{self, Formatter};

use typenum::{UInt, UTerm};

use crate::dynamic::{DynLayout, DynShape, DynTiler};
use crate::error::{Fault, LayoutError, expect};
use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler};
use crate::list::{Cons, Nested, Nil};
use crate::number::int::StaticInt;
use crate::number::multiple::Multiple;
use crate::number::table::Number;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::{Kind, Node};

// ---- to dynamic ---------------------------------------------------------------------------------------------------

fn dyn_shape<T: Node>(node: T) -> DynShape {
    if T::KIND == Kind::Leaf {
        return DynShape::from(node.leaf());
    }
    let mut items = alloc::vec::Vec::new();
    each_item(node, &mut items);
    DynShape::tuple(items).expect("a tuple of a layout is not empty")
}

fn each_item<T: Node>(node: T, items: &mut alloc::vec::Vec<DynShape>) {
    if T::KIND == Kind::Cons {
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
macro_rules! refused {
    ($($dynamic:ident)*) => {
        $(impl From<StandIn> for $dynamic {
            fn from(_: StandIn) -> Self {
                DynLayout::left(&DynShape::from(1)).into()
            }
        })*
    };
}
refused! { DynLayout DynTiler }
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

// ---- and back -----------------------------------------------------------------------------------------------------

/// An integer tuple that can be read from a dynamic one of the same profile whose leaves agree with the static ones.
pub trait FromDynShape: Sized {
    /// `leaf` counts the leaves before, for the message.
    #[doc(hidden)]
    fn from_dyn_shape(shape: &DynShape, leaf: &mut usize) -> Result<Self, Fault>;
    /// Writes what such a tuple looks like: `_` for a number that run time decides.
    #[doc(hidden)]
    fn expect(f: &mut Formatter<'_>) -> fmt::Result;
}
impl FromDynShape for usize {
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
    };
}
each_arity!(tuples_from_dyn);

impl<S: FromDynShape, D: FromDynShape> TryFrom<&DynLayout> for StridedLayout<S, D> {
    type Error = LayoutError;
    /// # Errors
    /// `profile` if the profile is another one, or a static leaf another number.
    fn try_from(layout: &DynLayout) -> Result<Self, LayoutError> {
        let refuse = |fault| LayoutError::new("from_dynamic", fault).with_operand(layout);
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
