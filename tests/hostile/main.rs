//! What safe code can do to a tensor: atoms, closures, predicates and elements that lie, change
//! their answer or panic, and layouts that are empty or point anywhere. Each case ends in an `Err`,
//! in a panic in the crate's own words, or in the right elements.
//!
//! What these tests reach, a user reaches without unsafe code.

#![forbid(unsafe_code)]

mod atoms;
mod copy_atoms;
mod elements;
mod empty;
mod image;
mod judge;
mod kinds;
mod parts;
mod traits;
#[cfg(target_pointer_width = "64")]
mod wide;
mod wild;
