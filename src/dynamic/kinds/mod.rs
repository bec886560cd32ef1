//! Strides of every kind: negative ones, and those whose products and sums do not carry.
//!
//! ```text
//! d      natural     c * d               sums
//! -d     negative    -(c * d)            sums
//! ^d     XOR         c (x) d             XOR: `(x)` is the product without carries, that of polynomials over F2
//! ```
//!
//! What a stride is, is little: a zero, a product with a number, and a sum. What the natural numbers have beside that
//! is an order, and that the sum of two products is never less than either: it is what complements and inverses sort
//! by. XOR strides have bits in place of an order: a layout of them is a linear function of the bits of its coordinate,
//! and Gaussian elimination answers what sorting answers elsewhere. Negative strides have the order of what they are
//! without their sign, since turning a mode round changes no set of offsets but for where it begins.
//!
//! In one layout, XOR strides stand beside natural ones where no bit of the offsets of the one part is a bit of the
//! other's: sum and XOR of the two parts are the same then. Elsewhere, and beside negative strides, they have no
//! meaning together, and no layout has them. A stride of 0 is the natural 0, however it is written.
//!
//! The loops of the files around this one are of natural numbers. They ask first whether a layout has strides of
//! another kind, and leave it to the files here if it has.

pub(crate) mod bits;
pub(crate) mod stride;

pub(crate) mod modes;
pub(crate) mod parts;

pub(crate) mod compose;
pub(crate) mod convert;
mod found;
pub(crate) mod inverse;
pub(crate) mod linear;

mod bases;

pub use bases::Bases;
pub use stride::DynStride;
pub(crate) use stride::{DynStrideKind, Kinds};
