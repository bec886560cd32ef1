//! What the compiler makes of layouts, says of them, and takes for them. One program, since its
//! parts wait for compilers most of the time: so they wait side by side.

use std::path::Path;

#[macro_use]
#[path = "../src/operations.rs"]
mod table;

mod cost;
mod messages;

#[path = "../benches/compile_cost/measure.rs"]
#[allow(dead_code, reason = "the bench uses all of it")]
mod measure;

mod released;

/// The folder of the crate.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder above that of the tests")
}
