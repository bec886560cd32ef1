//! Layouts whose strides are not natural numbers: steps along axes, and negative strides.
//!
//! A layout needs two operations on strides: the product with a number, and the sum. The tables of
//! numbers have both for each kind of stride, so one type of layout serves all kinds. Such a layout
//! is indexed, sliced, regrouped, coalesced, composed with natural strides and divided by them, by
//! the rules of the algebra itself. Orders of strides, inverses, and all of XOR strides are left to
//! `DynLayout`. In reading order:
//!
//! - `axes`, `negative`: the strides, their rows in the tables of numbers, and where their offsets
//!   lie
//! - `layout`: the layout of a shape and such strides
//! - `algebra`: the operations
//! - `identity`: coordinates as offsets: a layout that takes a coordinate to itself, so that a tile
//!   of it says where it lies in the whole
//! - `flip`: one mode counted backwards
//! - `run_time`: from layouts of negative strides to layouts whose rank is known only at run time,
//!   and back

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
