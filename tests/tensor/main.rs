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
