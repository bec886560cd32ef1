//! Kernels for NVIDIA's GPUs, made of the instructions of [`layout_instructions`], which are
//! re-exported here.
//!
//! ```text
//! mma, copy   the instructions: atoms, which are their layouts
//! device      what a kernel finds on the device: its place, shared memory, a pipeline of copies
//! hopper      what an H100 has: products of a warpgroup, copies of whole tiles, rings of stages
//! host        kernels on the CPU: they are tested without a GPU
//! launch      the host's side: programs are loaded and kernels launched
//! ```

#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(
    target_arch = "nvptx64",
    feature(asm_experimental_arch, stdarch_nvptx, core_intrinsics)
)]
#![cfg_attr(target_arch = "nvptx64", allow(internal_features))]

/// The driver, for everything that this package does not wrap.
#[cfg(feature = "launch")]
pub use cudarc;
#[doc(hidden)]
pub use layout_algebra;

/// The catalogue of instructions, a package of its own.
#[cfg(all(feature = "blackwell", not(target_arch = "nvptx64")))]
pub use layout_instructions::blackwell;
pub use layout_instructions::{
    Arithmetic, Atom, Clamped, Elements, Instruction, LaidOutAs, Rounded, Visitor, Word, Wrapped,
    Xor, copy, element, mma,
};
#[cfg(not(target_arch = "nvptx64"))]
pub use layout_instructions::{amd, intel};

#[cfg(not(target_arch = "nvptx64"))]
pub mod host;

pub mod device;
pub mod hopper;
#[cfg(feature = "launch")]
pub mod launch;
#[cfg(any(target_arch = "nvptx64", feature = "launch"))]
mod trap_record;
