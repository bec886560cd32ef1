//! The answers of the executable specification, 150 of each operation: `golden.jsonl` through the dynamic engine and as
//! facts about types.

mod dynamic;
mod files;
mod types;
