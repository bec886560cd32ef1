//! Coordinates as offsets: a layout that takes a coordinate to itself, so that a tile of it
//! says where it lies in the whole.
//!
//! In reading order:
//!
//! - [`basis`]: sums of coordinates, one number for each mode
//! - [`layout`]: the layout whose offsets those are

pub mod basis;

pub mod layout;
