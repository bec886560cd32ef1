//! Each instruction that multiplies as a kernel of a warp: its values come from memory as they are, and go back there. The
//! example `atoms` launches them and holds their answers against the CPU's.

use layout_algebra::atom::{MmaAtom, Values};
use layout_algebra::prelude::*;
use layout_nvidia::{Atom, kernel, mma};

/// Thread `t` executes the instruction with values `t` of A, B and C, and writes value `t` of D.
///
/// # Safety
/// There is memory for the values of each thread of the warp, aligned to them.
#[cfg_attr(not(target_arch = "nvptx64"), allow(dead_code))]
unsafe fn multiply<I: Atom>(a: *const u8, b: *const u8, c: *const u8, d: *mut u8) {
    let thread = layout_nvidia::device::thread();
    // SAFETY: the caller says that there is memory, in which the host has written numbers.
    unsafe {
        let a = a.cast::<Values<<I as MmaAtom>::A, <I as MmaAtom>::ALayout>>().add(thread).read();
        let b = b.cast::<Values<<I as MmaAtom>::B, <I as MmaAtom>::BLayout>>().add(thread).read();
        let c = c.cast::<Values<<I as MmaAtom>::C, <I as MmaAtom>::CLayout>>().add(thread).read();
        d.cast::<Values<<I as MmaAtom>::C, <I as MmaAtom>::CLayout>>().add(thread).write(I::default().fma(&a, &b, c));
    }
}

/// Something done with each kernel, on the host, and its instruction.
pub trait Kernels {
    /// Does it.
    fn kernel<K: Copy, I: Atom>(&mut self);
}

macro_rules! kernels {
    ($($name:ident)*) => {
        $(kernel! {
            #[doc = concat!("[`", stringify!($name), "`](mma::", stringify!($name), ") of one warp.")]
            ///
            /// # Safety
            /// There is memory for the values of 32 threads, aligned to them.
            #[allow(non_snake_case, reason = "CuTe's name")]
            pub fn $name(a: *const u8, b: *const u8, c: *const u8, d: *mut u8)
            threads: Layout!(32), shared: ();
            {
                // SAFETY: the caller says that there is memory.
                unsafe { multiply::<mma::$name>(a, b, c, d) }
            }
        })*

        /// Does something with each kernel.
        #[cfg(not(target_arch = "nvptx64"))]
        pub fn visit(kernels: &mut impl Kernels) {
            $(kernels.kernel::<$name, mma::$name>();)*
        }
    };
}
kernels! {
    SM61_DP4A SM61_DP2A SM70_8x8x4_F16F16F16F16_TN SM70_8x8x4_F16F16F16F16_NT SM70_8x8x4_F16F16F16F16_NN
    SM70_8x8x4_F16F16F16F16_TT SM70_8x8x4_F32F16F16F32_TN SM70_8x8x4_F32F16F16F32_NT SM70_8x8x4_F32F16F16F32_NN
    SM70_8x8x4_F32F16F16F32_TT SM75_16x8x8_F32F16F16F32_TN SM75_8x8x16_S32S8S8S32_TN SM80_16x8x8_F16F16F16F16_TN
    SM80_16x8x16_F16F16F16F16_TN SM80_16x8x8_F32F16F16F32_TN SM80_16x8x16_F32F16F16F32_TN SM80_16x8x8_F32BF16BF16F32_TN
    SM80_16x8x16_F32BF16BF16F32_TN SM80_16x8x4_F32TF32TF32F32_TN SM80_16x8x8_F32TF32TF32F32_TN
    SM80_8x8x4_F64F64F64F64_TN SM80_8x8x4_C64C64C64C64_TN SM80_8x8x4_GC64C64C64GC64_TN SM80_8x8x16_S32S8S8S32_TN
    SM80_8x8x16_S32S8S8S32_TN_SATURATE SM80_16x8x16_S32S8S8S32_TN SM80_16x8x16_S32S8S8S32_TN_SATURATE
    SM80_16x8x32_S32S8S8S32_TN SM80_16x8x32_S32S8S8S32_TN_SATURATE SM80_8x8x16_S32S8U8S32_TN
    SM80_8x8x16_S32S8U8S32_TN_SATURATE SM80_16x8x16_S32S8U8S32_TN SM80_16x8x16_S32S8U8S32_TN_SATURATE
    SM80_16x8x32_S32S8U8S32_TN SM80_16x8x32_S32S8U8S32_TN_SATURATE SM80_8x8x16_S32U8S8S32_TN
    SM80_8x8x16_S32U8S8S32_TN_SATURATE SM80_16x8x16_S32U8S8S32_TN SM80_16x8x16_S32U8S8S32_TN_SATURATE
    SM80_16x8x32_S32U8S8S32_TN SM80_16x8x32_S32U8S8S32_TN_SATURATE SM80_8x8x16_S32U8U8S32_TN
    SM80_8x8x16_S32U8U8S32_TN_SATURATE SM80_16x8x16_S32U8U8S32_TN SM80_16x8x16_S32U8U8S32_TN_SATURATE
    SM80_16x8x32_S32U8U8S32_TN SM80_16x8x32_S32U8U8S32_TN_SATURATE SM80_8x8x32_S32S4S4S32_TN
    SM80_8x8x32_S32S4S4S32_TN_SATURATE SM80_16x8x32_S32S4S4S32_TN SM80_16x8x32_S32S4S4S32_TN_SATURATE
    SM80_16x8x64_S32S4S4S32_TN SM80_16x8x64_S32S4S4S32_TN_SATURATE SM80_8x8x32_S32S4U4S32_TN
    SM80_8x8x32_S32S4U4S32_TN_SATURATE SM80_16x8x32_S32S4U4S32_TN SM80_16x8x32_S32S4U4S32_TN_SATURATE
    SM80_16x8x64_S32S4U4S32_TN SM80_16x8x64_S32S4U4S32_TN_SATURATE SM80_8x8x32_S32U4S4S32_TN
    SM80_8x8x32_S32U4S4S32_TN_SATURATE SM80_16x8x32_S32U4S4S32_TN SM80_16x8x32_S32U4S4S32_TN_SATURATE
    SM80_16x8x64_S32U4S4S32_TN SM80_16x8x64_S32U4S4S32_TN_SATURATE SM80_8x8x32_S32U4U4S32_TN
    SM80_8x8x32_S32U4U4S32_TN_SATURATE SM80_16x8x32_S32U4U4S32_TN SM80_16x8x32_S32U4U4S32_TN_SATURATE
    SM80_16x8x64_S32U4U4S32_TN SM80_16x8x64_S32U4U4S32_TN_SATURATE SM80_16x8x256_S32U1U1S32_TN_XORPOPC
    SM80_16x8x256_S32U1U1S32_TN_ANDPOPC SM80_8x8x128_S32U1U1S32_TN_XORPOPC SM80_8x8x128_S32U1U1S32_TN_ANDPOPC
    SM80_16x8x128_S32U1U1S32_TN_XORPOPC SM80_16x8x128_S32U1U1S32_TN_ANDPOPC SM89_16x8x32_F32E4M3E4M3F32_TN
    SM89_16x8x32_F32E4M3E5M2F32_TN SM89_16x8x32_F32E5M2E5M2F32_TN SM89_16x8x32_F32E5M2E4M3F32_TN
    SM89_16x8x32_F16E4M3E4M3F16_TN SM89_16x8x32_F16E4M3E5M2F16_TN SM89_16x8x32_F16E5M2E5M2F16_TN
    SM89_16x8x32_F16E5M2E4M3F16_TN SM90_16x8x4_F64F64F64F64_TN SM90_16x8x8_F64F64F64F64_TN SM90_16x8x16_F64F64F64F64_TN
    SM90_16x8x4_C64C64C64C64_TN SM90_16x8x8_C64C64C64C64_TN SM90_16x8x16_C64C64C64C64_TN
}
