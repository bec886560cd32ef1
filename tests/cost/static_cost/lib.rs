//! What `static_cost.rs` compiles and reads the assembly of.

mod offsets;
#[path = "../../../benches/patterns/patterns.rs"]
mod patterns;
