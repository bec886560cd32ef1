//! Kernels for NVIDIA's GPUs, written with layouts: each is a module, and a separate program for
//! the device.

#![no_std]
// The host's compiler checks the kernels too, and uses their description in launches.
#![cfg_attr(not(target_arch = "nvptx64"), allow(unused_imports, dead_code))]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx, asm_experimental_arch))]

#[cfg(feature = "atoms")]
pub mod atoms;
#[cfg(feature = "attention")]
pub mod attention;
#[cfg(feature = "copy")]
pub mod copy;
#[cfg(feature = "decode")]
pub mod decode;
#[cfg(feature = "epilogue")]
pub mod epilogue;
#[cfg(feature = "forms")]
pub mod forms;
#[cfg(feature = "fp8_sm90")]
pub mod fp8_sm90;
#[cfg(feature = "grouped_sm90")]
pub mod grouped_few;
#[cfg(feature = "grouped_sm90")]
pub mod grouped_sm90;
#[cfg(any(feature = "attention", feature = "decode"))]
pub mod heads;
#[cfg(any(feature = "hgemm", feature = "grouped_sm90", feature = "w4_sm90"))]
#[cfg_attr(
    not(feature = "hgemm"),
    allow(unused_imports, dead_code, reason = "others have its instructions")
)]
pub mod hgemm;
#[cfg(any(
    feature = "hgemm_sm90",
    feature = "epilogue",
    feature = "fp8_sm90",
    feature = "grouped_sm90",
    feature = "steps"
))]
#[cfg_attr(not(feature = "hgemm_sm90"), allow(unused_imports, reason = "others have its layouts"))]
pub mod hgemm_sm90;
#[cfg(feature = "decode")]
pub mod parts;
#[cfg(feature = "ragged")]
pub mod ragged;
#[cfg(any(feature = "sgemm", feature = "ragged"))]
#[cfg_attr(not(feature = "sgemm"), allow(unused_imports, reason = "`ragged` has its product"))]
pub mod sgemm;
#[cfg(feature = "softmax")]
pub mod softmax;
#[cfg(feature = "steps")]
pub mod steps;
#[cfg(feature = "transpose")]
pub mod transpose;
#[cfg(feature = "w4_sm90")]
pub mod w4_few;
#[cfg(feature = "w4_sm90")]
pub mod w4_sm90;

#[cfg(target_arch = "nvptx64")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // A call of this symbol in the program would mean that a panic can be reached.
    unsafe extern "C" {
        fn a_panic_can_be_reached() -> !;
    }
    // SAFETY: undefined, and not called if the check holds.
    unsafe { a_panic_can_be_reached() }
}
