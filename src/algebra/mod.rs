//! The operations on layouts, one file each with its law on top, and all of them as methods.

pub mod outcome;

pub mod operation;

// Lists of modes.
pub mod mode;

// One operation each.
pub mod by_mode;
pub mod coalesce;
pub mod common;
pub mod complement;
pub mod compose;
pub mod divide;
pub mod filter;
pub mod inverse;
pub mod modes;
pub mod product;
pub mod recast;
pub mod reshape;
pub mod round_up;
pub mod tile_to_shape;
mod upcast;
pub mod weave;

// What the operations refuse by the kind of their operand, and all of them as methods.
pub mod misplaced;

mod methods;
pub use methods::LayoutAlgebra;
