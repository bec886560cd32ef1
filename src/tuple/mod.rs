//! Integer tuples: numbers in nested parentheses, `(4,(2,3))`, which shapes, strides and
//! coordinates are.
//!
//! A tuple of Rust is turned into a list of [`list`](crate::list), head and tail, and all functions
//! recurse on that. In reading order:
//!
//! - [`semimodule`]: offsets that are no natural numbers
//! - [`node`]: a tree of numbers, and the results of one loop over it: rank, depth, size, an offset
//! - [`int_tuple`]: tuples of Rust as such trees
//! - [`constant`]: the value of a tuple of static numbers
//! - [`interval`]: ranges and windows, where a coordinate could have a number
//! - [`profile`]: the form of a tuple without its numbers, and how two forms relate: congruent,
//!   weakly congruent, compatible
//! - [`coord`]: coordinates into numbers and back
//! - [`bounds`]: static coordinates that lie outside of a static shape

pub mod semimodule;

pub mod node;

pub mod int_tuple;

pub mod constant;

pub mod interval;
pub mod profile;

pub mod bounds;
pub mod coord;
