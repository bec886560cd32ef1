//! The analysis of layouts, beside brute force and a GPU's counters; and swizzles, on which most of
//! it is asked.

mod hardware;
mod questions;
mod shared;
mod shuffles;
mod swizzle;
