//! The loops, compiled for each instruction set: the one place with unsafe code.
//!
//! A [`Nest`] is a list of loops over bytes. [`Nest::copy`] is safe: it proves by the extents and
//! the steps that no loop leaves the two slices, whatever made the nest, and then runs code that
//! believes nothing else. All elements are moved as bytes, of which any are a value: the slices are
//! `[u8]`.

// In reading order.
mod nest;

mod registers;

mod rows;

mod pixels;

mod tiles;

mod transposes;

mod run;

pub(crate) use nest::{Inner, LINE, Nest};
pub(crate) use rows::FEW;
pub(crate) use run::{Task, compiled_for};
