//! Atoms, and the two matrix products among the examples.

mod gemm_example;
mod partitions;
mod retile;
#[path = "../../examples/pictures/sm80.rs"]
mod sm80;
mod spaces;
mod tiled_product;
mod vectors;
