//! The engine of the page: text in, what the page shows out.
//!
//! ```text
//! text -> read -> a tree of operations -> evaluate -> values -> report, as JSON; cells of a picture on demand
//! ```
//!
//! All algebra is that of `layout-algebra`; here is what a page needs around it, in reading order:
//!
//! - [`read`]: the text of an operation as a tree, each part with its place in the text
//! - [`value`]: what a part can be, and how a literal becomes what an operation wants
//! - [`operation`]: the operations that can be typed, a row each
//! - [`evaluate`]: the values of a tree, or what is wrong and where
//! - [`breaks`]: where in the operands the rule breaks
//! - [`rust`]: the same in Rust, as types and as values, and the compile error
//! - [`picture`]: the cells of a picture
//! - [`report`]: all of that as JSON
//! - [`session`]: what was typed last, and its pictures
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
