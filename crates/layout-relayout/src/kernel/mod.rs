//! The loops, compiled for each instruction set: the only module with unsafe code.
//!
//! A [`Nest`] is a list of loops over bytes. [`Checked::copy`] is safe: the extents and the steps,
//! which are immutable, prove that no loop leaves the two slices, and the unsafe code relies on
//! nothing else. All elements move as bytes: the slices are `[u8]`, and any bytes are a value.

// In reading order.
mod lists;

mod nest;

mod registers;

mod steps;

mod moves;

mod rows;

mod matrix;

mod tiles;

mod pixels;

mod transposes;

mod run;

mod reductions;

pub(crate) use lists::{FEW, listed_loops};
pub(crate) use nest::{Checked, Inner, LINE, Nest};
pub(crate) use pixels::{Floats, floats};
pub(crate) use reductions::Reduction;
pub(crate) use registers::Register;
pub(crate) use run::{Task, compiled_for};
