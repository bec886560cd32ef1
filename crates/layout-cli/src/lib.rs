//! The operations of the layout algebra by name, a row each: what they are called, what their
//! operands are, their laws, how they read in Rust, and what they do. The command `layout` makes a
//! subcommand of each row, the page in `crates/playground` a function that can be typed.
//!
//! - [`value`]: what an operand or a result is
//! - [`table`]: the rows
//! - [`proving`]: the derivation of a composition, by the rules of the proof
//! - `command`: the command, as a function of its arguments

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod value;

pub mod table;

pub mod proving;

#[cfg(feature = "command")]
pub mod command;

pub use proving::{prove, prove_complement, prove_divide};
pub use table::{Form, Kind, Link, OPERATIONS, Operation, Parameter, find, nearest};
pub use value::{AnyLayout, Value, is_natural, read_layout};
