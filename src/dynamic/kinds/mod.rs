//! Mixed strides: natural, negative, and XOR strides, whose products and sums do not carry.
//!
//! ```text
//! d      natural     c * d      sums
//! -d     negative    -(c * d)   sums
//! ^d     XOR         c (x) d    XOR: `(x)` is the product without carries, that of polynomials over F2
//! ```
//!
//! A stride needs a zero, a product with a number, and a sum. Natural numbers also have an order,
//! in which the sum of two products is never less than either: complements and inverses sort by
//! this order. XOR strides have bits instead: a layout of XOR strides is a linear layout over F2, a
//! linear function of the bits of its coordinate, and Gaussian elimination takes the place of
//! sorting. Negative strides are sorted without their sign, since reversing a mode only moves its
//! set of offsets.
//!
//! A layout may mix XOR and natural strides if the offsets of the two parts are disjoint in bits:
//! sum and XOR are equal then. No layout mixes them otherwise, nor XOR with negative strides. A
//! stride of 0 is the natural 0, however it is written.
//!
//! The loops of `dynamic/` compute with natural numbers. They check first whether a layout has
//! other strides, and call the files here if so.

pub(crate) mod bits;
pub(crate) mod stride;

pub(crate) mod modes;
pub(crate) mod parts;

pub(crate) mod compose;
pub(crate) mod convert;
pub(crate) mod inverse;
pub(crate) mod linear;

mod bases;

pub use bases::Bases;
pub use stride::DynStride;
pub(crate) use stride::{DynStrideKind, Kinds};
