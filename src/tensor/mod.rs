//! Tensors: elements under a layout, cut into tiles and dealt out to threads, without one line of index arithmetic.

// What has to hold before memory is touched.
mod bounds;
mod fixes;

// The unsafe code.
pub mod storage;

// What tensors can do.
mod whole;
