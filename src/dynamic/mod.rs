//! Layouts whose rank is known only at run time.
//!
//! The same algebra as in the types, as plain loops over flat lists of modes. Up to 8 leaves nothing here takes heap memory but
//! the texts of errors. Where an operation has no exact answer it returns a [`LayoutError`](crate::LayoutError).
//!
//! A file imports from those listed above it, but for text, which goes with the types that it prints and reads.

// Trees of integers, how they relate, and layouts.
mod flat;
mod text;
mod tree;

mod layout;
mod relations;
mod shape;
mod short;
mod tiler;

// Text.
mod display;
mod parse;

// Coordinates and offsets; layouts from shapes; modes.
mod compact;
mod coordinate;
mod modes;
mod slice;
mod table;

// The algebra, each file with its law on top.
mod by_mode;
mod coalesce;
mod complement;
mod composition;
mod divide;
mod explain;
mod inverse;
mod product;
mod properties;
mod recast;
mod round_up;

// All of it under the traits of all layouts.
mod algebra;

// From the types to run time, and how a result of theirs comes about.
mod convert;
mod explain_types;

pub use coordinate::{Coords, DynCoordinate};
pub use explain::Explanation;
pub use explain_types::{explain_compose, explain_logical_divide};
pub use layout::{DynLayout, IntoDynLayout};
pub use shape::{DynShape, IntoDynShape};
pub use slice::{DynSlice, IntoDynSlice};
pub use tiler::{DynTiler, IntoDynTiler};
