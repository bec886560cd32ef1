//! The loops, compiled for each instruction set: the one place with unsafe code.
//!
//! A [`Nest`] is a list of loops over bytes. [`Checked::copy`] is safe: the extents and the steps,
//! which cannot change any more, prove that no loop leaves the two slices, whatever made the nest,
//! and then code runs that believes nothing else. All elements are moved as bytes, of which any are
//! a value: the slices are `[u8]`.

// In reading order.
mod lists;

mod nest;

mod registers;

mod rows;

mod pixels;

mod tiles;

mod transposes;

mod run;

pub(crate) use lists::{FEW, listed_loops};
pub(crate) use nest::{Checked, Inner, LINE, Nest};
pub(crate) use run::{Task, compiled_for};
