//! Every law of the specification, on random layouts, for the dynamic engine against brute force.
//!
//! A property that fails shrinks to the smallest layouts that break the law. One module for each
//! family of operations; `brute` holds the definitions once more, independent of the engine, and
//! `generate` the random layouts.

mod brute;
mod generate;
mod kinds;
mod kinds_by_mode;

mod algebra;
mod coordinates;
mod divide;
mod exact;
mod limits;
mod modes;
mod pencil;
mod product;
mod questions;
mod refusals;
mod text;
