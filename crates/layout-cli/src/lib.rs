//! The operations of the layout algebra by name, a row each: what they are called, what their operands are, their laws,
//! how they read in Rust, and what they do. The command `layout` makes a subcommand of each row, the page in
//! `crates/playground` a function that can be typed.
//!
//! - [`value`]: what an operand or a result is
//! - [`table`]: the rows
//! - [`proving`]: the derivation of a composition, by the rules of the proof

pub mod value;

pub mod table;

pub mod proving;

pub use proving::prove;
pub use table::{Form, Kind, Link, OPERATIONS, Operation, Parameter, find};
pub use value::{AnyLayout, Value, is_natural, read_layout};
