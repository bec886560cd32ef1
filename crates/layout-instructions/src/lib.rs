//! The multiply and copy instructions of NVIDIA, AMD and Intel, as atoms of [`layout_algebra`]:
//! NVIDIA's under CuTe's names, letter for letter.
//!
//! ```text
//! mma::SM80_16x8x16_F32F16F16F32_TN   what 32 threads multiply, and which of them has which element of A, B and C
//! copy::SM75_U32x4_LDSM_N<f16>        what 32 threads read, and which of them gets which element
//! amd::V_MFMA_F32_32X32X8_F16         the same of a wavefront of 64 threads, as layouts
//! intel::TDPBF16PS                    the same of a tile of AMX, as layouts
//! ```
//!
//! An instruction is its layouts, which are checked at compile time: each element of an accumulator
//! belongs to exactly one value of one thread, and each element of an operand to at least one. On
//! the CPU an atom computes what its layouts say, among the threads of [`host::run_threads`]: a
//! product is tested without a GPU. On nvptx64 an atom is the instruction.

#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(asm_experimental_arch, stdarch_nvptx))]

#[doc(hidden)]
pub use layout_algebra;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod element;

#[cfg(not(target_arch = "nvptx64"))]
#[doc(hidden)]
pub mod block;
#[cfg(not(target_arch = "nvptx64"))]
pub mod host;

#[macro_use]
mod instruction;
pub use instruction::{
    Arithmetic, Atom, Clamped, Instruction, Rounded, Visitor, Word, Wrapped, Xor,
};
mod elements;
pub use elements::Elements;
mod laid_out;
pub use laid_out::LaidOutAs;

#[macro_use]
mod row;
pub mod copy;
pub mod mma;

#[cfg(not(target_arch = "nvptx64"))]
pub mod amd;
#[cfg(all(feature = "blackwell", not(target_arch = "nvptx64")))]
pub mod blackwell;
#[cfg(not(target_arch = "nvptx64"))]
pub mod intel;

/// Used by the macros, and by the atoms of `layout-nvidia`.
#[doc(hidden)]
pub mod private {
    pub use crate::instruction::{Covers, Packs};
    #[cfg(target_arch = "nvptx64")]
    pub use crate::mma::ptx::as_registers;
}
