//! The answers of the executable specification, 150 or 300 of each operation: the golden files through the dynamic
//! engine and as facts about types.

mod dynamic;
mod files;
mod operations;
mod types;
