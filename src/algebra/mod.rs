//! The operations on layouts: one file each, which opens with the operation's law. `methods` has
//! all of them as methods.
//!
//! An operation is a function of types. It recurses on lists of modes. Its result is a layout, or
//! the reason why there is none. In reading order:
//!
//! - [`outcome`]: the traits of such functions, their results, and the gate in front of the public
//!   traits
//! - [`operation`]: what all operations share
//! - [`traits`]: the public trait and the alias of each operation
//! - [`mode`], [`trees`]: a layout as a list of modes, and back
//! - [`by_mode`]: a tuple of right operands, one per mode
//! - [`coalesce`], [`filter`]: the same layout in fewer modes
//! - [`compose`]: the composition of two layouts
//! - [`complement`], [`inverse`], [`common`]: what a layout leaves free, the functions from offsets
//!   back to coordinates, and what two layouts share
//! - [`divide`], [`round_up`]: a layout cut into tiles
//! - [`paired_product`], [`product`], [`tile_to_shape`]: a layout repeated
//! - [`recast`], with its file `upcast`: the same memory in larger or smaller elements
//! - [`reshape`]: the same function or the same order for another shape
//! - [`modes`]: selects, groups, replaces, reorders and slices modes
//! - [`misplaced`]: rejects operands of the wrong kind
//! - `methods`: all operations as methods of every layout

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

// What the operations reject by the kind of the operand, and all operations as methods.
pub mod misplaced;

mod methods;
pub use methods::LayoutAlgebra;
