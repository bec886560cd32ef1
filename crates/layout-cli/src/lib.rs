//! A table of the operations of the layout algebra: each row has names, operands, law, Rust syntax
//! and implementation. Each row is a subcommand of the command `layout`, and a function of the page
//! in `crates/playground`.
//!
//! - [`value`]: operands and results
//! - [`table`]: the rows
//! - [`proving`]: derivations by the rules of the proof
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
