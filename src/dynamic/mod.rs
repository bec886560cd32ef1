//! Layouts whose rank is known only at run time.
//!
//! The same algebra as in the types, as plain loops over flat lists of modes. Up to 8 leaves of
//! natural strides nothing here takes heap memory but the texts of errors. Where an operation has
//! no exact answer it returns a [`LayoutError`](crate::LayoutError).
//!
//! Its files stand below in reading order; a file imports only from those above it.

// Trees of integers: a list of modes, a profile, and how two of them relate.
mod flat;
mod sorted;
mod text;
mod tree;

mod shape;

// Strides that are no natural numbers.
pub(crate) mod kinds;

// Layouts, what stands to the right of an operation, and coordinates.
pub(crate) mod layout;
mod relations;

mod coordinate;
mod tiler;

pub(crate) mod slice;

// Text, read and written.
mod display;
pub(crate) mod parse;

// Layouts from shapes, modes, and questions.
mod compact;
mod modes;
mod properties;
mod short;
mod table;

// The algebra, each file with its law on top.
mod coalesce;
mod common_domain;
mod complement;
mod composition;

mod by_mode;

mod divide;
mod explain;
mod inverse;
mod product;
mod recast;
mod refinement;
mod round_up;
mod sum;

// All of it under the traits of all layouts.
mod algebra;

// From the types to run time, and how a result of theirs comes about.
mod convert;
mod explain_types;

pub(crate) use convert::FromDynShape;
pub use convert::ToDynamic;
pub use coordinate::{Coords, DynCoordinate};
pub use explain::Explanation;
pub use explain_types::{explain_compose, explain_logical_divide};
pub use kinds::{Bases, DynStride};
pub use layout::{DynLayout, IntoDynLayout};
pub use shape::{DynShape, IntoDynShape};
pub(crate) use slice::sealed::SliceArgument;
pub use slice::{DynSlice, IntoDynSlice};
pub use tiler::{DynTiler, IntoDynTiler};
#[cfg(feature = "serde")]
pub(crate) use tiler::{Item, Items};
