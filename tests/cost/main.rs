//! What layouts cost: no instruction in a program, a budget of the compiler's time, no memory for an index.

use std::path::Path;

mod compile_budget;
mod dynamic_memory;
mod static_cost;
mod tensor_cost;

#[path = "../../benches/compile_cost/measure.rs"]
#[allow(dead_code, reason = "the bench uses all of it")]
mod measure;

/// The folder of the crate.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder above that of the tests")
}

#[path = "../released.rs"]
mod released;
