//! Numbers: the extents and strides that layouts are made of, known at compile time as types or at
//! run time as `usize`.
//!
//! A static number is typenum's integer, so that `6` and `8` are two types and a wrong tile is an
//! error of the compiler. A dynamic one is a `usize`, or a [`Multiple`](multiple::Multiple) of a
//! static number. In reading order:
//!
//! - [`int`]: arithmetic of the types, exact division above all
//! - [`table`]: the arithmetic of any two leaves, static or dynamic, and what every leaf can do
//! - [`quotient`]: exact quotients, long division, and rounding
//! - [`multiple`]: run-time numbers that are known to be divisible
//! - [`show`]: static numbers in decimals, for the messages of the compiler
//! - [`constant`]: constants as static numbers
//! - [`unroll`]: loops over a static number, unrolled

pub mod int;
pub mod table;

pub mod quotient;

pub mod constant;
pub mod multiple;
pub mod show;
pub mod unroll;
