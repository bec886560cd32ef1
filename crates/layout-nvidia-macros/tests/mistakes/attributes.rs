//! What stands in the attribute says no kernel.
#![allow(unused)]

use layout_nvidia_macros::kernel;

struct Threads;

#[kernel]
unsafe fn no_threads() {}

#[kernel(threads = 256)]
unsafe fn a_number() {}

#[kernel(threads = Threads, threads = Threads)]
unsafe fn twice() {}

#[kernel(threads = Threads, blocks = 4)]
unsafe fn unknown() {}

#[kernel(threads)]
unsafe fn no_type() {}

#[kernel(threads = Threads)]
unsafe fn open<T, const N: usize>(to: *mut T) {}

#[kernel(threads = Threads, instances())]
unsafe fn none<T>(to: *mut T) {}

#[kernel(threads = Threads, instances(<f32>))]
unsafe fn closed(to: *mut f32) {}

#[kernel(threads = Threads, instances(f32))]
unsafe fn no_brackets<T>(to: *mut T) {}

#[kernel(threads = Threads, instances(<f32, 4>, <f32>))]
unsafe fn too_few<T, const N: usize>(to: *mut T) {}

fn main() {}
