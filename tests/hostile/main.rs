//! What safe code can do to a tensor: atoms, closures, predicates and elements that lie, change their answer or panic,
//! and layouts that are empty or point anywhere. Each case ends in an `Err`, in a panic in the crate's own words, or in
//! the right elements.
//!
//! Every file but one forbids unsafe code: what these tests reach, a user reaches. The one is `copy_atoms`, whose atoms
//! have to implement the function of a trait; it has no unsafe block either.

#[forbid(unsafe_code)]
mod atoms;
#[deny(unsafe_code)]
mod copy_atoms;
#[forbid(unsafe_code)]
mod elements;
#[forbid(unsafe_code)]
mod empty;
#[forbid(unsafe_code)]
mod image;
#[forbid(unsafe_code)]
mod judge;
#[forbid(unsafe_code)]
mod parts;
#[forbid(unsafe_code)]
mod traits;
#[forbid(unsafe_code)]
mod wild;
