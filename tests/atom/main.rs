//! Atoms, and the two matrix products among the examples.

mod gemm_example;
mod partitions;
mod retile;
mod spaces;
mod tiled_product;
