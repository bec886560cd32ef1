//! The crate that `static_cost.rs` compiles, and whose assembly it reads.

mod offsets;
#[path = "../../../benches/patterns/patterns.rs"]
mod patterns;
