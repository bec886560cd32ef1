//! Tensors: what is cut and dealt out reaches each element once, for static, mixed, dynamic and swizzled layouts.

mod algorithms;
mod coordinates;
mod copy;
mod data;
mod dlpack;
mod examples;
mod generic;
mod interop;
mod places;
mod ragged;
mod show;
mod slices;
mod swizzled;
