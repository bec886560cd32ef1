#![doc = include_str!("../README.md")]
//!
//! ## The files, in reading order
//!
//! `element` and `error`; `piece`, the boxes of the kernel; `push_plan`, the tables of all ranks,
//! without a GPU; `kernel.cu` with `ptx.cu`, which executes them; `driver` and `group`, the
//! devices; `memory` and `tensor`, their memory; `redistribution`, the launch.

mod element;
mod error;

// Without a GPU.
mod piece;
mod push_plan;

// On the devices.
mod driver;
mod group;
mod memory;
mod redistribution;
mod tensor;

// The kernel on the CPU, for the tests.
#[cfg(test)]
#[path = "../tests/draws/mod.rs"]
mod draws;
#[cfg(test)]
mod host;
#[cfg(test)]
extern crate self as layout_gpus;

pub use element::Element;
pub use error::Error;
pub use group::Gpus;
pub use push_plan::PushPlan;
pub use redistribution::Redistribution;
pub use tensor::DistributedTensor;
