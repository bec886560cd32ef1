//! Recipes: what kernels are often made of, each tested on the CPU, where `cargo test` needs no GPU.

pub mod fused;
pub mod histogram;
pub mod rows;
pub mod scan;
pub mod transpose;
