//! All elements at once: one by one, by an algorithm, under the layout that an operation gives, and
//! as elements of another size. Tensors are compared and printed as other values are.

pub(super) mod iter_mut;

pub(super) mod each;

pub(super) mod rank;

pub(super) mod algorithm;
mod vector;

mod algebra;

#[cfg(feature = "bytemuck")]
pub(super) mod recast;

mod equal;
pub(super) mod print;
