//! Recipes: common parts of kernels, each tested on the CPU, where `cargo test` needs no GPU.

#[cfg(feature = "fused")]
pub mod fused;
#[cfg(feature = "halo")]
pub mod halo;
#[cfg(feature = "histogram")]
pub mod histogram;
#[cfg(feature = "long_rows")]
pub mod long_rows;
#[cfg(feature = "overlap")]
pub mod overlap;
#[cfg(feature = "product")]
pub mod product;
#[cfg(feature = "rows")]
pub mod rows;
#[cfg(feature = "scan")]
pub mod scan;
#[cfg(feature = "short_rows")]
pub mod short_rows;
#[cfg(feature = "transpose")]
pub mod transpose;

#[cfg(test)]
mod random;
