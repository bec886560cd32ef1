//! Tensors: what is cut and dealt out reaches each element once, for static, mixed, dynamic and swizzled layouts.
#![allow(clippy::type_complexity, reason = "a layout is spelled out where a test is about it")]

mod algorithms;
mod coordinates;
mod copy;
mod data;
mod dlpack;
mod examples;
mod generic;
mod interop;
mod numpy;
mod pictures;
mod places;
mod ragged;
mod show;
mod slices;
mod swizzled;

/// How many random cases a test tries; where each of them takes long, `FEWER_CASES=50` says to try a fiftieth.
fn cases(all: usize) -> usize {
    let fewer = std::env::var("FEWER_CASES").map_or(1, |by| by.parse().expect("FEWER_CASES is a number"));
    all.div_ceil(fewer)
}
