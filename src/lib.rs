#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
// A GPU's instructions for its shared memory are written in assembly, and take a nightly compiler,
// as its kernels do.
#![cfg_attr(
    target_arch = "nvptx64",
    feature(asm_experimental_arch, const_eval_select, core_intrinsics)
)]
#![cfg_attr(target_arch = "nvptx64", allow(internal_features))]
// The picture of the front page; on GitHub its name stands for a file.
#![doc = include_str!("guide/pictures/division.md")]
#![doc = include_str!("../README.md")]
#![doc = include_str!("guide/pictures/themes.html")]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

// The table of operations, a row each: documentation, names, messages. The chapters below expand
// it.
#[macro_use]
mod operations;

// Padding of text that is written in parts.
#[macro_use]
mod pad;

// What can go wrong, in a sentence each, at run time.
mod error;

// Head and tail: the lists that stand for Rust's tuples, and the one macro over all arities.
#[macro_use]
mod list;

// Numbers: static ones as types, dynamic ones as `usize`, and the arithmetic of any two.
mod number;

// What can go wrong, in a sentence each, at compile time.
mod reasons;

// Numbers in parentheses: shapes, strides, coordinates, and how two of them relate.
mod tuple;

// Swizzles: the bits of an offset exchanged.
mod swizzle;

// What a layout is: a shape and a stride; its text, its table, and its data for constants.
mod layout;

// Operations on layouts, a file each with its law on top.
mod algebra;

// The same operations as plain loops, on layouts whose rank is known only at run time. Read this
// chapter to understand the types.
#[cfg(feature = "alloc")]
mod dynamic;

// Steps along axes, of which coordinates as offsets are made, and negative strides.
pub mod strides;

// Swizzled offsets.
pub mod composed;

// Layouts in files, with serde.
#[cfg(feature = "serde")]
mod serial;

// What a layout costs: vectors, banks, coalescing.
pub mod analysis;

// Elements under layouts.
pub mod tensor;

// Instructions that copy and multiply, tiled over threads.
pub mod atom;

pub use composed::{ComposedLayout, OffsetMap};
pub use error::{ErrorKind, Fault, LayoutError};
pub use layout::flat::{FlatLayout, ToFlat};
pub use layout::strided::StridedLayout;
pub use layout::traits::{CoordinateOf, Layout, StaticLayout};
pub use number::int::{Int, StaticInt};
pub use number::multiple::Multiple;
pub use number::show::N;
pub use number::table::Number;
pub use swizzle::{Apart, DynSwizzle, Swizzle};
pub use tuple::coord::{Coordinates, crd2crd, crd2idx, idx2crd};
pub use tuple::int_tuple::{IntTuple, StaticTuple};
pub use tuple::interval::Window;
pub use tuple::profile::{ComparesWith, Compatible, Congruent, ProfileQuestions, WeaklyCongruent};
pub use tuple::semimodule::Semimodule;
#[doc(no_inline)]
pub use typenum;

pub use layout::compact::{CompactLeft, CompactRight, LeftLayout, RightLayout};
pub use layout::display::{Notation, Text, notation};
pub use layout::ordered::{CompactOrdered, Ordered, OrderedLayout};
pub use layout::print::{HasTable, Offsets, Table};
pub use layout::tiler::{Keep, Tiler, TilerModes};

pub use algebra::LayoutAlgebra;
pub use strides::identity::{Identity, IdentityLayout, identity};
pub use strides::layout::SignedLayout;
pub use tensor::Tensor;
#[doc(hidden)]
pub use tensor::{RejectedCoordinates, RejectedTile};

#[cfg(feature = "alloc")]
pub use composed::DynComposedLayout;
#[cfg(feature = "alloc")]
pub use dynamic::{
    Bases, Coords, DynCoordinate, DynLayout, DynShape, DynSlice, DynStride, DynTiler, Explanation,
    IntoDynLayout, IntoDynShape, IntoDynSlice, IntoDynTiler, ToDynamic,
};
#[cfg(feature = "alloc")]
pub use layout::print::ThreadValues;

#[cfg(feature = "alloc")]
pub use dynamic::{explain_compose, explain_logical_divide};

#[cfg(feature = "macros")]
pub use layout_macros::{Int, Layout, Shape, Tiler, for_static, int, layout, shape, tiler};

// The examples of the macros, from the package that has them.
#[cfg(all(doctest, feature = "macros"))]
mod macro_examples {
    #[doc = include_str!("../layout-macros/docs/layout.md")]
    #[doc = include_str!("../layout-macros/docs/layout-type.md")]
    #[doc = include_str!("../layout-macros/docs/shape.md")]
    #[doc = include_str!("../layout-macros/docs/shape-type.md")]
    #[doc = include_str!("../layout-macros/docs/tiler.md")]
    #[doc = include_str!("../layout-macros/docs/tiler-type.md")]
    #[doc = include_str!("../layout-macros/docs/int.md")]
    #[doc = include_str!("../layout-macros/docs/int-type.md")]
    #[doc = include_str!("../layout-macros/docs/for-static.md")]
    struct Examples;
}

/// The operations as traits, and the type of each result: `Compose` and `Composition`,
/// `LogicalDivide` and `LogicalDivision`. The prelude has them too.
///
/// Their methods are those of [`LayoutAlgebra`]; generic code names a trait as a bound, and an
/// alias for what it returns.
///
/// ```
/// use layout_algebra::operation::{Compose, Composition};
/// use layout_algebra::prelude::*;
///
/// fn every_second<A: Compose<Layout!(4:2)>>(a: A) -> Composition<A, Layout!(4:2)> {
///     a.compose(layout!(4:2))
/// }
/// assert_eq!(every_second(layout!(8:3)), layout!(4:6));
/// ```
pub mod operation {
    pub use crate::algebra::divide::{ZippedDivide, ZippedDivision};
    pub use crate::algebra::modes::by_number::{
        Group, Grouped, ModeAt, ModeOf, Replace, Replaced, Take, Taken, Ungroup, Ungrouped,
    };
    pub use crate::algebra::modes::slice::{Slice, Sliced, Windowed};
    pub use crate::algebra::traits::*;
    pub use crate::strides::flip::{Flip, Flipped};
}

// The guide: only documentation, whose programs are tests.
#[cfg(any(doc, doctest))]
pub mod guide;

/// The items of everyday code: `use layout_algebra::prelude::*;`. All others have a path.
pub mod prelude {
    // Layouts, and how they are written.
    pub use crate::{
        CompactLeft, CompactOrdered, CompactRight, ComposedLayout, CoordinateOf, DynSwizzle,
        Identity, IdentityLayout, Int, IntTuple, Keep, Layout, LeftLayout, Multiple, OffsetMap,
        Ordered, OrderedLayout, RightLayout, SignedLayout, StaticInt, StaticLayout, StaticTuple,
        StridedLayout, Swizzle, Tiler, crd2crd, crd2idx, identity, idx2crd, notation,
    };
    // Its name alone is not here: packages have kinds of numbers of their own.
    pub use crate::Number as _;
    #[cfg(feature = "macros")]
    pub use crate::{Shape, for_static, int, layout, shape, tiler};

    // How two tuples relate, and the errors.
    pub use crate::{
        Compatible, Congruent, ErrorKind, Fault, LayoutError, ProfileQuestions, WeaklyCongruent,
    };

    // The operations: the trait of all methods, then for each one a trait and the name of its
    // result.
    pub use crate::LayoutAlgebra;
    pub use crate::operation::*;

    // Layouts whose rank is known only at run time.
    #[cfg(feature = "alloc")]
    pub use crate::{
        DynComposedLayout, DynCoordinate, DynLayout, DynShape, DynSlice, DynStride, DynTiler,
        Explanation, IntoDynLayout, IntoDynShape, IntoDynSlice, IntoDynTiler, ToDynamic, explain,
        explain_compose, explain_logical_divide,
    };

    // Tensors, and the bounds of generic code.
    pub use crate::tensor::{
        Addressable, Contiguous, Fragment, Predicates, Storage, StorageMut, StorageOf, Tensor,
        Tiled, elem_less, make_layout, make_layout_tv,
    };

    // A layout as plain data, for constants and for `analysis`.
    pub use crate::{FlatLayout, ToFlat};

    // Modules, for paths such as `analysis::bank_conflicts`, `atom::copy`, `tensor::Rows`.
    #[doc(hidden)]
    pub use crate::{RejectedCoordinates as _, RejectedTile as _};
    pub use crate::{analysis, atom, tensor, typenum};
}

/// What a macro expands to where its numbers fit a `usize` of 64 bits and not one of 32: an error
/// on narrow targets, and the expansion on the others.
#[cfg(target_pointer_width = "64")]
#[doc(hidden)]
#[macro_export]
macro_rules! by_width {
    ({ $($error:tt)* } { $($expansion:tt)* }) => { $($expansion)* };
}
/// What a macro expands to where its numbers fit a `usize` of 64 bits and not one of 32: an error
/// on narrow targets, and the expansion on the others.
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
    pub use crate::layout::in_constants::{Compact, CompactAtRunTime, static_layout};
    pub use crate::number::constant::{WithDigit, digit, extent, number};
    pub use crate::number::table::leaf;
    pub use crate::tuple::constant::static_int;
    pub use typenum::consts::*;
    pub use typenum::{UInt, UTerm};
    /// A number `N` and eight more bits.
    pub type Byte<N, B7, B6, B5, B4, B3, B2, B1, B0> =
        UInt<UInt<UInt<UInt<UInt<UInt<UInt<UInt<N, B7>, B6>, B5>, B4>, B3>, B2>, B1>, B0>;
}
