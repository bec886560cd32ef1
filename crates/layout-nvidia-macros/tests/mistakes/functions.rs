//! What follows the attribute is no kernel.
#![allow(unused)]

use layout_nvidia_macros::kernel;

struct Threads;

#[kernel(threads = Threads)]
fn safe() {}

#[kernel(threads = Threads)]
async unsafe fn waits() {}

#[kernel(threads = Threads)]
const unsafe fn constant() {}

#[kernel(threads = Threads)]
unsafe extern "C" fn foreign() {}

#[kernel(threads = Threads)]
struct NoFunction;

#[kernel(threads = Threads)]
unsafe fn borrows(from: &[f32]) {}

#[kernel(threads = Threads)]
unsafe fn any(number: impl Copy) {}

#[kernel(threads = Threads)]
unsafe fn method(self) {}

#[kernel(threads = Threads)]
unsafe fn lives<'a>(number: u32) {}

#[kernel(threads = Threads)]
unsafe fn twelve(
    a: u32, b: u32, c: u32, d: u32, e: u32, f: u32, g: u32, h: u32, i: u32, j: u32, k: u32, one_more: u32,
) {}

#[kernel(threads = Threads)]
unsafe fn no_body();

fn main() {}
