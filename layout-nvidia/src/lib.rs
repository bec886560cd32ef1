//! Instructions of NVIDIA's GPUs as atoms of [`layout_algebra`], under CuTe's names.

#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(asm_experimental_arch, stdarch_nvptx, core_intrinsics))]
#![cfg_attr(target_arch = "nvptx64", allow(internal_features))]

pub mod device;
#[cfg(feature = "launch")]
pub mod launch;
