//! Modes taken, grouped, replaced, reordered and sliced: what changes which coordinates a layout takes and no offset.
//!
//! In reading order:
//!
//! - [`regroup`]: flatten, select, append, prepend, reverse, transpose
//! - [`by_number`]: a mode, a range of modes, a group of them, by number
//! - [`named_modes`]: what is refused when there is no such mode, or when the operand is of the wrong kind
//! - [`slice`]: a coordinate in some modes, and the rest kept

pub mod regroup;

pub mod by_number;
pub mod named_modes;
pub mod slice;
