//! Operations that select, group, replace, reorder and slice modes. The offsets stay; the
//! coordinates that lead to them change.
//!
//! In reading order:
//!
//! - [`regroup`]: flatten, select, append, prepend, reverse, transpose
//! - [`by_number`]: a mode or a range of modes by number
//! - [`named_modes`]: the reasons if a mode is missing, or if the operand is of the wrong kind
//! - [`slice`]: fixes the coordinate in some modes and keeps the other modes

pub mod regroup;

pub mod by_number;
pub mod named_modes;
pub mod slice;
