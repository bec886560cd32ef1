//! The answers of the executable specification, 150 or 300 of each operation: the golden files
//! through the dynamic engine and as facts about types.

#[macro_use]
#[path = "../../src/operations.rs"]
mod table;

mod answers;
mod dynamic;
mod triton;
// Types hold numbers of any size: on 32 bits, these facts would be the same ones again, and an
// answer is beyond `usize`.
#[cfg(target_pointer_width = "64")]
mod types;
