#![no_std]
#![doc = include_str!("../README.md")]

#[cfg(feature = "alloc")]
extern crate alloc;

// Numbers and trees of numbers.
mod error;
#[macro_use]
mod tuple;
mod int;
mod multiple;
mod number;
mod unroll;

mod candidate;
mod node;

mod int_tuple;
mod show;

// Bits of offsets, and layouts as data.
mod flat;
mod swizzle;

// What a layout is.
mod bounds;
mod profile;

mod coord;
mod layout;
mod strided;

mod display;

mod compact;
mod ordered;
mod table;
mod tiler;

// Operations on layouts.
mod refusal;
mod stand_in;
mod undefined;

mod construct;

mod algebra;
mod slice;

// Coordinates as offsets, and offsets swizzled.
mod basis;
mod composed;
mod identity;

// What a layout is worth.
pub mod analysis;

// Elements under layouts.
pub mod tensor;

// Instructions that copy and multiply, tiled over threads.
pub mod atom;

// Layouts whose rank is known only at run time.
#[cfg(feature = "alloc")]
mod dynamic;

#[cfg(feature = "alloc")]
mod convert;

// How a result comes about.
#[cfg(feature = "alloc")]
mod explain;

pub use composed::{Bijection, Chain, ComposedLayout, InnerLayout, OffsetMap, StaticOffsetMap, UnderSwizzle};
pub use coord::{Coordinates, crd2crd, crd2idx, idx2crd};
pub use error::{ErrorKind, Fault, LayoutError};
pub use flat::{FlatLayout, ToFlat};
pub use int::Int;
pub use int_tuple::{IntTuple, StaticTuple};
pub use layout::{CoordinateOf, Layout, StaticLayout};
pub use multiple::Multiple;
pub use number::Number;
pub use profile::{ComparesWith, Compatible, Congruent, ProfileQuestions, WeaklyCongruent};
pub use show::N;
pub use strided::StridedLayout;
pub use swizzle::{Apart, DynSwizzle, Swizzle};
#[doc(no_inline)]
pub use typenum;

pub use compact::{CompactLeft, CompactRight, LeftLayout, RightLayout};
pub use display::{Notation, Text, notation};
pub use ordered::{CompactOrdered, OrderedLayout};
pub use tiler::{Keep, Tiler};

pub use algebra::LayoutAlgebra;
pub use algebra::by_number::{Group, Grouped, ModeAt, ModeOf, Replace, Replaced, Take, Taken, Ungroup, Ungrouped};
pub use algebra::coalesce::{Coalesce, CoalesceBy, Coalesced, CoalescedBy};
pub use algebra::complement::{Complement, ComplementCeil, ComplementCeilOf, ComplementOf};
pub use algebra::composition::{Compose, Composition};
pub use algebra::divide::{
    FlatDivide, FlatDivision, LogicalDivide, LogicalDivision, TiledDivide, TiledDivision, ZippedDivide, ZippedDivision,
};
pub use algebra::filter::{Filter, FilterBy, Filtered, FilteredBy};
pub use algebra::inverse::{
    LeftInverse, LeftInverseOf, MaxCommonLayout, MaxCommonLayoutOf, Nullspace, NullspaceOf, RightInverse,
    RightInverseOf,
};
pub use algebra::product::{
    FlatProduct, FlatProductOf, LogicalProduct, LogicalProductOf, TiledProduct, TiledProductOf, ZippedProduct,
    ZippedProductOf,
};
pub use algebra::recast::{Downcast, Downcasted, Recast, Recasted, Upcast, Upcasted};
pub use algebra::regroup::{
    Append, Appended, Flatten, Flattened, Prepend, Prepended, Reverse, Reversed, Select, Selected, Transpose,
    Transposed,
};
pub use algebra::reshape::{
    DomainDistribute, DomainDistribution, LayoutLike, LayoutLikeOf, WithShape, WithShapeOf, domain_distribute,
};
pub use algebra::round_up::{RoundUp, RoundedUp};
pub use algebra::tile_to_shape::Ordered;
pub use algebra::weave::{BlockedProduct, BlockedProductOf, RakedProduct, RakedProductOf, TileToShape, TileToShapeOf};
pub use identity::{HasIdentity, Identity, IdentityLayout, IntoIdentity, identity};
pub use slice::{Slice, Sliced};
pub use tensor::Tensor;
#[doc(hidden)]
pub use tensor::{RefusedCoordinates, RefusedTile};

#[cfg(feature = "alloc")]
pub use composed::DynComposedLayout;
#[cfg(feature = "alloc")]
pub use dynamic::{
    Coords, DynCoordinate, DynLayout, DynShape, DynSlice, DynTiler, Explanation, IntoDynLayout, IntoDynShape,
    IntoDynSlice, IntoDynTiler,
};

#[cfg(feature = "alloc")]
pub use explain::{explain_compose, explain_logical_divide};

#[cfg(feature = "macros")]
pub use layout_macros::{Int, Layout, Shape, Tiler, int, layout, shape, tiler};

#[cfg(any(doc, doctest))]
#[doc = include_str!("guide/when_it_does_not_compile.md")]
pub mod when_it_does_not_compile {}

/// Everything: `use layout_algebra::prelude::*;`.
pub mod prelude {
    pub use crate::*;
}

/// What a macro expands to where its numbers fit a `usize` of 64 bits and not one of 32: an error on narrow targets,
/// and the expansion on the others.
#[cfg(target_pointer_width = "64")]
#[doc(hidden)]
#[macro_export]
macro_rules! by_width {
    ({ $($error:tt)* } { $($expansion:tt)* }) => { $($expansion)* };
}
/// What a macro expands to where its numbers fit a `usize` of 64 bits and not one of 32: an error on narrow targets,
/// and the expansion on the others.
#[cfg(not(target_pointer_width = "64"))]
#[doc(hidden)]
#[macro_export]
macro_rules! by_width {
    ({ $($error:tt)* } { $($expansion:tt)* }) => { $($error)* };
}

/// What the macros expand to.
#[doc(hidden)]
pub mod __private {
    pub use crate::by_width;
    pub use crate::int::static_int;
    pub use crate::number::leaf;
    pub use typenum::consts::*;
    pub use typenum::{UInt, UTerm};
}
