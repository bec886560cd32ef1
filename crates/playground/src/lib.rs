//! The engine of the page: from text to the page's data.
//!
//! ```text
//! text -> read -> a tree of operations -> evaluate -> values -> report, as JSON; cells of a picture on demand
//! ```
//!
//! All algebra is in `layout-algebra`; these files add the page's needs, in reading order:
//!
//! - [`read`]: the text of an operation as a tree, each part with its span
//! - [`value`]: the values of parts, and the conversion of literals to operands
//! - [`operation`]: the available operations, a row each
//! - [`evaluate`]: the values of a tree, or the error and its span
//! - [`breaks`]: the place in the operands where the rule breaks
//! - [`rust`]: the same in Rust, as types and as values, and the compile error
//! - [`picture`]: the cells of a picture
//! - [`report`]: all of that as JSON
//! - [`session`]: the last text, and its pictures
//! - `interface`: the functions that the page calls

pub mod read;

pub mod value;

pub mod operation;

pub mod evaluate;

pub mod breaks;
pub mod rust;

pub mod picture;
pub mod report;

pub mod session;

mod interface;
