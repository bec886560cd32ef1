//! Tensors: elements under a layout, cut into tiles and dealt out to threads, without one line of index arithmetic.

// What has to hold before memory is touched.
mod bounds;
mod fixes;

// The unsafe code.
mod storage;

// What tensors can do.
mod whole;

pub use storage::{
    Addressable, Columns, Contiguous, CoordinateIn, Counting, Elements, Parts, Rows, SliceIn, Storage, StorageMut,
    Tensor, Tile, TileMut,
};
