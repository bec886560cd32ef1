//! Tensors: tiles and partitions reach each element once, for static, mixed, dynamic and swizzled
//! layouts.
#![allow(clippy::type_complexity, reason = "a layout is spelled out where a test is about it")]

mod algorithms;
mod coordinates;
mod copy;
mod data;
mod dictionary;
mod examples;
mod flips;
mod generic;
mod interop;
mod pages;
mod pictures;
mod places;
mod ragged;
mod show;
mod slices;
mod swizzled;

/// How many random cases a test tries; where each of them takes long, `FEWER_CASES=50` says to try
/// a fiftieth.
fn cases(all: usize) -> usize {
    all.div_ceil(fewer())
}
/// How many of its random cases have to be of a kind, where `of_all` have to be if all are tried.
fn at_least(of_all: usize) -> usize {
    of_all / fewer()
}
fn fewer() -> usize {
    std::env::var("FEWER_CASES").map_or(1, |by| by.parse().expect("FEWER_CASES is a number"))
}
