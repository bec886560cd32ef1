//! What is said about mistakes: once, in words and decimals, the same by the compiler and at run time. The programs
//! with one mistake each are in the package beside this one, `ui-tests`.

mod used_further;
mod voice;
mod wrong_operands;

#[path = "../../benches/compile_cost/measure.rs"]
#[allow(dead_code, reason = "the bench uses all of it")]
mod measure;
