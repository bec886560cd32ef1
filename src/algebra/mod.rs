//! The operations on layouts, one file each with its law on top, and all of them as methods.
//!
//! An operation is a function of types: it recurses on lists of modes, and its result is the layout that there is, or
//! the reason why there is none. In reading order:
//!
//! - [`outcome`]: such functions, what they give, and the gate before the public traits
//! - [`operation`]: what all operations share
//! - [`traits`]: the public trait and the alias of each
//! - [`mode`], [`trees`]: a layout as a list of modes, and back
//! - [`by_mode`]: a tuple of right operands, each on a mode of its own
//! - [`coalesce`], [`filter`]: the same layout in fewer modes
//! - [`compose`]: one layout after another
//! - [`complement`], [`inverse`], [`common`]: what a layout leaves free, and the way back from offsets
//! - [`divide`], [`round_up`]: a layout cut into tiles
//! - [`paired_product`], [`product`], [`tile_to_shape`]: a layout repeated
//! - [`recast`], with its file `upcast`: the same memory in larger or smaller elements
//! - [`reshape`]: other layouts for a shape
//! - [`modes`]: modes taken, grouped, replaced, reordered and sliced
//! - [`misplaced`]: operands of the wrong kind
//! - `methods`: all of it as methods of every layout

pub mod outcome;

pub mod operation;
pub mod traits;

// Lists of modes.
pub mod mode;
pub mod trees;

pub mod by_mode;

// One operation each.
pub mod coalesce;
pub mod filter;

pub mod compose;

pub mod complement;
pub mod inverse;

pub mod common;

pub mod divide;
pub mod round_up;

pub mod paired_product;

pub mod product;
pub mod tile_to_shape;

pub mod recast;
pub mod upcast;

pub mod reshape;

pub mod modes;

// What the operations refuse by the kind of their operand, and all of them as methods.
pub mod misplaced;

mod methods;
pub use methods::LayoutAlgebra;
