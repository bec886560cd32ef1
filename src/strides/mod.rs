//! Layouts whose strides are no natural numbers: steps along axes, and negative ones.
//!
//! What a layout asks of strides is little: a product with a number, and a sum. The tables of numbers have these for
//! each kind of them, and one layout serves both. It is indexed, sliced and regrouped, coalesced, composed with natural
//! strides and divided by them, by the rules of the algebra itself. What orders strides, or leads back from offsets, is a
//! [`DynLayout`](crate::DynLayout)'s, as all of XOR strides is. In reading order:
//!
//! - `axes`, `negative`: the strides, their rows in the tables of numbers, and where their offsets lie
//! - `layout`: the layout of a shape and such strides
//! - `algebra`: the operations
//! - `identity`: coordinates as offsets: a layout that takes a coordinate to itself, so that a tile of it says where
//!   it lies in the whole
//! - `flip`: one mode counted backwards
//! - `run_time`: from layouts of negative strides to those of which run time knows the rank, and back

pub(crate) mod axes;
pub(crate) mod negative;

pub(crate) mod layout;

pub(crate) mod algebra;

pub(crate) mod identity;

pub(crate) mod flip;

#[cfg(feature = "alloc")]
pub(crate) mod run_time;

pub use algebra::IntoStepped;
pub use identity::HasIdentity;
pub use layout::{SteppedLayout, StridesIn};
pub use negative::{Neg, Signed};
