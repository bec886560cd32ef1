//! The analysis of layouts, compared with brute force and with a GPU's counters; and swizzles, its
//! most frequent subject.

mod hardware;
mod questions;
mod shared;
mod shuffles;
mod swizzle;
