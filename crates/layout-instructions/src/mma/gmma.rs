//! The instructions of a warpgroup, 128 threads: `wgmma`. CuTe's `mma_traits_sm90_gmma.hpp`.
//!
//! They are layouts and no atoms: B, and A of the `SS` instructions, are matrices in shared memory
//! that all threads read through descriptors. Their layouts are CuTe's: every thread has all
//! elements.

use half::{bf16, f16};

use crate::element::{E4m3, E5m2, Tf32};

shapes! { "wgmma.mma_async.sync.aligned."
[64 x 8 x 16, 128:1, A (128, (64, 16)):(0, (1, 64)), B (128, (8, 16)):(0, (1, 8)),
    C ((4, 8, 4), (2, 2, 1)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x8x16_F16F16F16_SS   (f16: f16, f16;   Rounded; "m64n8k16.f16.f16.f16");
    SM90_64x8x16_F32F16F16_SS   (f32: f16, f16;   Rounded; "m64n8k16.f32.f16.f16");
    SM90_64x8x16_F32BF16BF16_SS (f32: bf16, bf16; Rounded; "m64n8k16.f32.bf16.bf16");
}
[64 x 8 x 16, 128:1, A ((4, 8, 4), (2, 2, 2)):((128, 1, 16), (64, 8, 512)),
    B (128, (8, 16)):(0, (1, 8)), C ((4, 8, 4), (2, 2, 1)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x8x16_F16F16F16_RS   (f16: f16, f16;   Rounded; "m64n8k16.f16.f16.f16");
    SM90_64x8x16_F32F16F16_RS   (f32: f16, f16;   Rounded; "m64n8k16.f32.f16.f16");
    SM90_64x8x16_F32BF16BF16_RS (f32: bf16, bf16; Rounded; "m64n8k16.f32.bf16.bf16");
}
[64 x 16 x 16, 128:1, A (128, (64, 16)):(0, (1, 64)), B (128, (16, 16)):(0, (1, 16)),
    C ((4, 8, 4), (2, 2, 2)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x16x16_F16F16F16_SS   (f16: f16, f16;   Rounded; "m64n16k16.f16.f16.f16");
    SM90_64x16x16_F32F16F16_SS   (f32: f16, f16;   Rounded; "m64n16k16.f32.f16.f16");
    SM90_64x16x16_F32BF16BF16_SS (f32: bf16, bf16; Rounded; "m64n16k16.f32.bf16.bf16");
}
[64 x 16 x 16, 128:1, A ((4, 8, 4), (2, 2, 2)):((128, 1, 16), (64, 8, 512)),
    B (128, (16, 16)):(0, (1, 16)), C ((4, 8, 4), (2, 2, 2)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x16x16_F16F16F16_RS   (f16: f16, f16;   Rounded; "m64n16k16.f16.f16.f16");
    SM90_64x16x16_F32F16F16_RS   (f32: f16, f16;   Rounded; "m64n16k16.f32.f16.f16");
    SM90_64x16x16_F32BF16BF16_RS (f32: bf16, bf16; Rounded; "m64n16k16.f32.bf16.bf16");
}
[64 x 32 x 16, 128:1, A (128, (64, 16)):(0, (1, 64)), B (128, (32, 16)):(0, (1, 32)),
    C ((4, 8, 4), (2, 2, 4)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x32x16_F16F16F16_SS   (f16: f16, f16;   Rounded; "m64n32k16.f16.f16.f16");
    SM90_64x32x16_F32F16F16_SS   (f32: f16, f16;   Rounded; "m64n32k16.f32.f16.f16");
    SM90_64x32x16_F32BF16BF16_SS (f32: bf16, bf16; Rounded; "m64n32k16.f32.bf16.bf16");
}
[64 x 32 x 16, 128:1, A ((4, 8, 4), (2, 2, 2)):((128, 1, 16), (64, 8, 512)),
    B (128, (32, 16)):(0, (1, 32)), C ((4, 8, 4), (2, 2, 4)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x32x16_F16F16F16_RS   (f16: f16, f16;   Rounded; "m64n32k16.f16.f16.f16");
    SM90_64x32x16_F32F16F16_RS   (f32: f16, f16;   Rounded; "m64n32k16.f32.f16.f16");
    SM90_64x32x16_F32BF16BF16_RS (f32: bf16, bf16; Rounded; "m64n32k16.f32.bf16.bf16");
}
[64 x 64 x 16, 128:1, A (128, (64, 16)):(0, (1, 64)), B (128, (64, 16)):(0, (1, 64)),
    C ((4, 8, 4), (2, 2, 8)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x64x16_F16F16F16_SS   (f16: f16, f16;   Rounded; "m64n64k16.f16.f16.f16");
    SM90_64x64x16_F32F16F16_SS   (f32: f16, f16;   Rounded; "m64n64k16.f32.f16.f16");
    SM90_64x64x16_F32BF16BF16_SS (f32: bf16, bf16; Rounded; "m64n64k16.f32.bf16.bf16");
}
[64 x 64 x 16, 128:1, A ((4, 8, 4), (2, 2, 2)):((128, 1, 16), (64, 8, 512)),
    B (128, (64, 16)):(0, (1, 64)), C ((4, 8, 4), (2, 2, 8)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x64x16_F16F16F16_RS   (f16: f16, f16;   Rounded; "m64n64k16.f16.f16.f16");
    SM90_64x64x16_F32F16F16_RS   (f32: f16, f16;   Rounded; "m64n64k16.f32.f16.f16");
    SM90_64x64x16_F32BF16BF16_RS (f32: bf16, bf16; Rounded; "m64n64k16.f32.bf16.bf16");
}
[64 x 96 x 16, 128:1, A (128, (64, 16)):(0, (1, 64)), B (128, (96, 16)):(0, (1, 96)),
    C ((4, 8, 4), (2, 2, 12)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x96x16_F16F16F16_SS   (f16: f16, f16;   Rounded; "m64n96k16.f16.f16.f16");
    SM90_64x96x16_F32F16F16_SS   (f32: f16, f16;   Rounded; "m64n96k16.f32.f16.f16");
    SM90_64x96x16_F32BF16BF16_SS (f32: bf16, bf16; Rounded; "m64n96k16.f32.bf16.bf16");
}
[64 x 96 x 16, 128:1, A ((4, 8, 4), (2, 2, 2)):((128, 1, 16), (64, 8, 512)),
    B (128, (96, 16)):(0, (1, 96)), C ((4, 8, 4), (2, 2, 12)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x96x16_F16F16F16_RS   (f16: f16, f16;   Rounded; "m64n96k16.f16.f16.f16");
    SM90_64x96x16_F32F16F16_RS   (f32: f16, f16;   Rounded; "m64n96k16.f32.f16.f16");
    SM90_64x96x16_F32BF16BF16_RS (f32: bf16, bf16; Rounded; "m64n96k16.f32.bf16.bf16");
}
[64 x 128 x 16, 128:1, A (128, (64, 16)):(0, (1, 64)), B (128, (128, 16)):(0, (1, 128)),
    C ((4, 8, 4), (2, 2, 16)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x128x16_F16F16F16_SS   (f16: f16, f16;   Rounded; "m64n128k16.f16.f16.f16");
    SM90_64x128x16_F32F16F16_SS   (f32: f16, f16;   Rounded; "m64n128k16.f32.f16.f16");
    SM90_64x128x16_F32BF16BF16_SS (f32: bf16, bf16; Rounded; "m64n128k16.f32.bf16.bf16");
}
[64 x 128 x 16, 128:1, A ((4, 8, 4), (2, 2, 2)):((128, 1, 16), (64, 8, 512)),
    B (128, (128, 16)):(0, (1, 128)), C ((4, 8, 4), (2, 2, 16)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x128x16_F16F16F16_RS   (f16: f16, f16;   Rounded; "m64n128k16.f16.f16.f16");
    SM90_64x128x16_F32F16F16_RS   (f32: f16, f16;   Rounded; "m64n128k16.f32.f16.f16");
    SM90_64x128x16_F32BF16BF16_RS (f32: bf16, bf16; Rounded; "m64n128k16.f32.bf16.bf16");
}
[64 x 192 x 16, 128:1, A (128, (64, 16)):(0, (1, 64)), B (128, (192, 16)):(0, (1, 192)),
    C ((4, 8, 4), (2, 2, 24)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x192x16_F16F16F16_SS   (f16: f16, f16;   Rounded; "m64n192k16.f16.f16.f16");
    SM90_64x192x16_F32F16F16_SS   (f32: f16, f16;   Rounded; "m64n192k16.f32.f16.f16");
    SM90_64x192x16_F32BF16BF16_SS (f32: bf16, bf16; Rounded; "m64n192k16.f32.bf16.bf16");
}
[64 x 192 x 16, 128:1, A ((4, 8, 4), (2, 2, 2)):((128, 1, 16), (64, 8, 512)),
    B (128, (192, 16)):(0, (1, 192)), C ((4, 8, 4), (2, 2, 24)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x192x16_F16F16F16_RS   (f16: f16, f16;   Rounded; "m64n192k16.f16.f16.f16");
    SM90_64x192x16_F32F16F16_RS   (f32: f16, f16;   Rounded; "m64n192k16.f32.f16.f16");
    SM90_64x192x16_F32BF16BF16_RS (f32: bf16, bf16; Rounded; "m64n192k16.f32.bf16.bf16");
}
[64 x 256 x 16, 128:1, A (128, (64, 16)):(0, (1, 64)), B (128, (256, 16)):(0, (1, 256)),
    C ((4, 8, 4), (2, 2, 32)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x256x16_F16F16F16_SS   (f16: f16, f16;   Rounded; "m64n256k16.f16.f16.f16");
    SM90_64x256x16_F32F16F16_SS   (f32: f16, f16;   Rounded; "m64n256k16.f32.f16.f16");
    SM90_64x256x16_F32BF16BF16_SS (f32: bf16, bf16; Rounded; "m64n256k16.f32.bf16.bf16");
}
[64 x 256 x 16, 128:1, A ((4, 8, 4), (2, 2, 2)):((128, 1, 16), (64, 8, 512)),
    B (128, (256, 16)):(0, (1, 256)), C ((4, 8, 4), (2, 2, 32)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x256x16_F16F16F16_RS   (f16: f16, f16;   Rounded; "m64n256k16.f16.f16.f16");
    SM90_64x256x16_F32F16F16_RS   (f32: f16, f16;   Rounded; "m64n256k16.f32.f16.f16");
    SM90_64x256x16_F32BF16BF16_RS (f32: bf16, bf16; Rounded; "m64n256k16.f32.bf16.bf16");
}
[64 x 8 x 8, 128:1, A (128, (64, 8)):(0, (1, 64)), B (128, (8, 8)):(0, (1, 8)),
    C ((4, 8, 4), (2, 2, 1)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x8x8_F32TF32TF32_SS_TN (f32: Tf32, Tf32; Rounded; "m64n8k8.f32.tf32.tf32");
}
[64 x 8 x 8, 128:1, A ((4, 8, 4), (2, 2)):((64, 1, 16), (8, 256)), B (128, (8, 8)):(0, (1, 8)),
    C ((4, 8, 4), (2, 2, 1)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x8x8_F32TF32TF32_RS_TN (f32: Tf32, Tf32; Rounded; "m64n8k8.f32.tf32.tf32");
}
[64 x 16 x 8, 128:1, A (128, (64, 8)):(0, (1, 64)), B (128, (16, 8)):(0, (1, 16)),
    C ((4, 8, 4), (2, 2, 2)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x16x8_F32TF32TF32_SS_TN (f32: Tf32, Tf32; Rounded; "m64n16k8.f32.tf32.tf32");
}
[64 x 16 x 8, 128:1, A ((4, 8, 4), (2, 2)):((64, 1, 16), (8, 256)), B (128, (16, 8)):(0, (1, 16)),
    C ((4, 8, 4), (2, 2, 2)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x16x8_F32TF32TF32_RS_TN (f32: Tf32, Tf32; Rounded; "m64n16k8.f32.tf32.tf32");
}
[64 x 32 x 8, 128:1, A (128, (64, 8)):(0, (1, 64)), B (128, (32, 8)):(0, (1, 32)),
    C ((4, 8, 4), (2, 2, 4)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x32x8_F32TF32TF32_SS_TN (f32: Tf32, Tf32; Rounded; "m64n32k8.f32.tf32.tf32");
}
[64 x 32 x 8, 128:1, A ((4, 8, 4), (2, 2)):((64, 1, 16), (8, 256)), B (128, (32, 8)):(0, (1, 32)),
    C ((4, 8, 4), (2, 2, 4)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x32x8_F32TF32TF32_RS_TN (f32: Tf32, Tf32; Rounded; "m64n32k8.f32.tf32.tf32");
}
[64 x 64 x 8, 128:1, A (128, (64, 8)):(0, (1, 64)), B (128, (64, 8)):(0, (1, 64)),
    C ((4, 8, 4), (2, 2, 8)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x64x8_F32TF32TF32_SS_TN (f32: Tf32, Tf32; Rounded; "m64n64k8.f32.tf32.tf32");
}
[64 x 64 x 8, 128:1, A ((4, 8, 4), (2, 2)):((64, 1, 16), (8, 256)), B (128, (64, 8)):(0, (1, 64)),
    C ((4, 8, 4), (2, 2, 8)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x64x8_F32TF32TF32_RS_TN (f32: Tf32, Tf32; Rounded; "m64n64k8.f32.tf32.tf32");
}
[64 x 96 x 8, 128:1, A (128, (64, 8)):(0, (1, 64)), B (128, (96, 8)):(0, (1, 96)),
    C ((4, 8, 4), (2, 2, 12)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x96x8_F32TF32TF32_SS_TN (f32: Tf32, Tf32; Rounded; "m64n96k8.f32.tf32.tf32");
}
[64 x 96 x 8, 128:1, A ((4, 8, 4), (2, 2)):((64, 1, 16), (8, 256)), B (128, (96, 8)):(0, (1, 96)),
    C ((4, 8, 4), (2, 2, 12)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x96x8_F32TF32TF32_RS_TN (f32: Tf32, Tf32; Rounded; "m64n96k8.f32.tf32.tf32");
}
[64 x 128 x 8, 128:1, A (128, (64, 8)):(0, (1, 64)), B (128, (128, 8)):(0, (1, 128)),
    C ((4, 8, 4), (2, 2, 16)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x128x8_F32TF32TF32_SS_TN (f32: Tf32, Tf32; Rounded; "m64n128k8.f32.tf32.tf32");
}
[64 x 128 x 8, 128:1, A ((4, 8, 4), (2, 2)):((64, 1, 16), (8, 256)),
    B (128, (128, 8)):(0, (1, 128)), C ((4, 8, 4), (2, 2, 16)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x128x8_F32TF32TF32_RS_TN (f32: Tf32, Tf32; Rounded; "m64n128k8.f32.tf32.tf32");
}
[64 x 192 x 8, 128:1, A (128, (64, 8)):(0, (1, 64)), B (128, (192, 8)):(0, (1, 192)),
    C ((4, 8, 4), (2, 2, 24)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x192x8_F32TF32TF32_SS_TN (f32: Tf32, Tf32; Rounded; "m64n192k8.f32.tf32.tf32");
}
[64 x 192 x 8, 128:1, A ((4, 8, 4), (2, 2)):((64, 1, 16), (8, 256)),
    B (128, (192, 8)):(0, (1, 192)), C ((4, 8, 4), (2, 2, 24)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x192x8_F32TF32TF32_RS_TN (f32: Tf32, Tf32; Rounded; "m64n192k8.f32.tf32.tf32");
}
[64 x 256 x 8, 128:1, A (128, (64, 8)):(0, (1, 64)), B (128, (256, 8)):(0, (1, 256)),
    C ((4, 8, 4), (2, 2, 32)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x256x8_F32TF32TF32_SS_TN (f32: Tf32, Tf32; Rounded; "m64n256k8.f32.tf32.tf32");
}
[64 x 256 x 8, 128:1, A ((4, 8, 4), (2, 2)):((64, 1, 16), (8, 256)),
    B (128, (256, 8)):(0, (1, 256)), C ((4, 8, 4), (2, 2, 32)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x256x8_F32TF32TF32_RS_TN (f32: Tf32, Tf32; Rounded; "m64n256k8.f32.tf32.tf32");
}
[64 x 8 x 32, 128:1, A (128, (64, 32)):(0, (1, 64)), B (128, (8, 32)):(0, (1, 8)),
    C ((4, 8, 4), (2, 2, 1)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x8x32_S32S8S8_SS_TN          (i32: i8, i8; Wrapped; "m64n8k32.s32.s8.s8");
    SM90_64x8x32_S32S8S8_SS_TN_SATURATE (i32: i8, i8; Clamped; "m64n8k32.s32.s8.s8.satfinite");
    SM90_64x8x32_S32S8U8_SS_TN          (i32: i8, u8; Wrapped; "m64n8k32.s32.s8.u8");
    SM90_64x8x32_S32S8U8_SS_TN_SATURATE (i32: i8, u8; Clamped; "m64n8k32.s32.s8.u8.satfinite");
    SM90_64x8x32_S32U8S8_SS_TN          (i32: u8, i8; Wrapped; "m64n8k32.s32.u8.s8");
    SM90_64x8x32_S32U8S8_SS_TN_SATURATE (i32: u8, i8; Clamped; "m64n8k32.s32.u8.s8.satfinite");
    SM90_64x8x32_S32U8U8_SS_TN          (i32: u8, u8; Wrapped; "m64n8k32.s32.u8.u8");
    SM90_64x8x32_S32U8U8_SS_TN_SATURATE (i32: u8, u8; Clamped; "m64n8k32.s32.u8.u8.satfinite");
    SM90_64x8x32_F16E4M3E4M3_SS_TN      (f16: E4m3, E4m3; Rounded; "m64n8k32.f16.e4m3.e4m3");
    SM90_64x8x32_F32E4M3E4M3_SS_TN      (f32: E4m3, E4m3; Rounded; "m64n8k32.f32.e4m3.e4m3");
    SM90_64x8x32_F16E4M3E5M2_SS_TN      (f16: E4m3, E5m2; Rounded; "m64n8k32.f16.e4m3.e5m2");
    SM90_64x8x32_F32E4M3E5M2_SS_TN      (f32: E4m3, E5m2; Rounded; "m64n8k32.f32.e4m3.e5m2");
    SM90_64x8x32_F16E5M2E4M3_SS_TN      (f16: E5m2, E4m3; Rounded; "m64n8k32.f16.e5m2.e4m3");
    SM90_64x8x32_F32E5M2E4M3_SS_TN      (f32: E5m2, E4m3; Rounded; "m64n8k32.f32.e5m2.e4m3");
    SM90_64x8x32_F16E5M2E5M2_SS_TN      (f16: E5m2, E5m2; Rounded; "m64n8k32.f16.e5m2.e5m2");
    SM90_64x8x32_F32E5M2E5M2_SS_TN      (f32: E5m2, E5m2; Rounded; "m64n8k32.f32.e5m2.e5m2");
}
[64 x 16 x 32, 128:1, A (128, (64, 32)):(0, (1, 64)), B (128, (16, 32)):(0, (1, 16)),
    C ((4, 8, 4), (2, 2, 2)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x16x32_S32S8S8_SS_TN          (i32: i8, i8; Wrapped; "m64n16k32.s32.s8.s8");
    SM90_64x16x32_S32S8S8_SS_TN_SATURATE (i32: i8, i8; Clamped; "m64n16k32.s32.s8.s8.satfinite");
    SM90_64x16x32_S32S8U8_SS_TN          (i32: i8, u8; Wrapped; "m64n16k32.s32.s8.u8");
    SM90_64x16x32_S32S8U8_SS_TN_SATURATE (i32: i8, u8; Clamped; "m64n16k32.s32.s8.u8.satfinite");
    SM90_64x16x32_S32U8S8_SS_TN          (i32: u8, i8; Wrapped; "m64n16k32.s32.u8.s8");
    SM90_64x16x32_S32U8S8_SS_TN_SATURATE (i32: u8, i8; Clamped; "m64n16k32.s32.u8.s8.satfinite");
    SM90_64x16x32_S32U8U8_SS_TN          (i32: u8, u8; Wrapped; "m64n16k32.s32.u8.u8");
    SM90_64x16x32_S32U8U8_SS_TN_SATURATE (i32: u8, u8; Clamped; "m64n16k32.s32.u8.u8.satfinite");
    SM90_64x16x32_F16E4M3E4M3_SS_TN      (f16: E4m3, E4m3; Rounded; "m64n16k32.f16.e4m3.e4m3");
    SM90_64x16x32_F32E4M3E4M3_SS_TN      (f32: E4m3, E4m3; Rounded; "m64n16k32.f32.e4m3.e4m3");
    SM90_64x16x32_F16E4M3E5M2_SS_TN      (f16: E4m3, E5m2; Rounded; "m64n16k32.f16.e4m3.e5m2");
    SM90_64x16x32_F32E4M3E5M2_SS_TN      (f32: E4m3, E5m2; Rounded; "m64n16k32.f32.e4m3.e5m2");
    SM90_64x16x32_F16E5M2E4M3_SS_TN      (f16: E5m2, E4m3; Rounded; "m64n16k32.f16.e5m2.e4m3");
    SM90_64x16x32_F32E5M2E4M3_SS_TN      (f32: E5m2, E4m3; Rounded; "m64n16k32.f32.e5m2.e4m3");
    SM90_64x16x32_F16E5M2E5M2_SS_TN      (f16: E5m2, E5m2; Rounded; "m64n16k32.f16.e5m2.e5m2");
    SM90_64x16x32_F32E5M2E5M2_SS_TN      (f32: E5m2, E5m2; Rounded; "m64n16k32.f32.e5m2.e5m2");
}
[64 x 32 x 32, 128:1, A (128, (64, 32)):(0, (1, 64)), B (128, (32, 32)):(0, (1, 32)),
    C ((4, 8, 4), (2, 2, 4)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x32x32_S32S8S8_SS_TN          (i32: i8, i8; Wrapped; "m64n32k32.s32.s8.s8");
    SM90_64x32x32_S32S8S8_SS_TN_SATURATE (i32: i8, i8; Clamped; "m64n32k32.s32.s8.s8.satfinite");
    SM90_64x32x32_S32S8U8_SS_TN          (i32: i8, u8; Wrapped; "m64n32k32.s32.s8.u8");
    SM90_64x32x32_S32S8U8_SS_TN_SATURATE (i32: i8, u8; Clamped; "m64n32k32.s32.s8.u8.satfinite");
    SM90_64x32x32_S32U8S8_SS_TN          (i32: u8, i8; Wrapped; "m64n32k32.s32.u8.s8");
    SM90_64x32x32_S32U8S8_SS_TN_SATURATE (i32: u8, i8; Clamped; "m64n32k32.s32.u8.s8.satfinite");
    SM90_64x32x32_S32U8U8_SS_TN          (i32: u8, u8; Wrapped; "m64n32k32.s32.u8.u8");
    SM90_64x32x32_S32U8U8_SS_TN_SATURATE (i32: u8, u8; Clamped; "m64n32k32.s32.u8.u8.satfinite");
    SM90_64x32x32_F16E4M3E4M3_SS_TN      (f16: E4m3, E4m3; Rounded; "m64n32k32.f16.e4m3.e4m3");
    SM90_64x32x32_F32E4M3E4M3_SS_TN      (f32: E4m3, E4m3; Rounded; "m64n32k32.f32.e4m3.e4m3");
    SM90_64x32x32_F16E4M3E5M2_SS_TN      (f16: E4m3, E5m2; Rounded; "m64n32k32.f16.e4m3.e5m2");
    SM90_64x32x32_F32E4M3E5M2_SS_TN      (f32: E4m3, E5m2; Rounded; "m64n32k32.f32.e4m3.e5m2");
    SM90_64x32x32_F16E5M2E4M3_SS_TN      (f16: E5m2, E4m3; Rounded; "m64n32k32.f16.e5m2.e4m3");
    SM90_64x32x32_F32E5M2E4M3_SS_TN      (f32: E5m2, E4m3; Rounded; "m64n32k32.f32.e5m2.e4m3");
    SM90_64x32x32_F16E5M2E5M2_SS_TN      (f16: E5m2, E5m2; Rounded; "m64n32k32.f16.e5m2.e5m2");
    SM90_64x32x32_F32E5M2E5M2_SS_TN      (f32: E5m2, E5m2; Rounded; "m64n32k32.f32.e5m2.e5m2");
}
[64 x 64 x 32, 128:1, A (128, (64, 32)):(0, (1, 64)), B (128, (64, 32)):(0, (1, 64)),
    C ((4, 8, 4), (2, 2, 8)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x64x32_S32S8S8_SS_TN          (i32: i8, i8; Wrapped; "m64n64k32.s32.s8.s8");
    SM90_64x64x32_S32S8S8_SS_TN_SATURATE (i32: i8, i8; Clamped; "m64n64k32.s32.s8.s8.satfinite");
    SM90_64x64x32_S32S8U8_SS_TN          (i32: i8, u8; Wrapped; "m64n64k32.s32.s8.u8");
    SM90_64x64x32_S32S8U8_SS_TN_SATURATE (i32: i8, u8; Clamped; "m64n64k32.s32.s8.u8.satfinite");
    SM90_64x64x32_S32U8S8_SS_TN          (i32: u8, i8; Wrapped; "m64n64k32.s32.u8.s8");
    SM90_64x64x32_S32U8S8_SS_TN_SATURATE (i32: u8, i8; Clamped; "m64n64k32.s32.u8.s8.satfinite");
    SM90_64x64x32_S32U8U8_SS_TN          (i32: u8, u8; Wrapped; "m64n64k32.s32.u8.u8");
    SM90_64x64x32_S32U8U8_SS_TN_SATURATE (i32: u8, u8; Clamped; "m64n64k32.s32.u8.u8.satfinite");
    SM90_64x64x32_F16E4M3E4M3_SS_TN      (f16: E4m3, E4m3; Rounded; "m64n64k32.f16.e4m3.e4m3");
    SM90_64x64x32_F32E4M3E4M3_SS_TN      (f32: E4m3, E4m3; Rounded; "m64n64k32.f32.e4m3.e4m3");
    SM90_64x64x32_F16E4M3E5M2_SS_TN      (f16: E4m3, E5m2; Rounded; "m64n64k32.f16.e4m3.e5m2");
    SM90_64x64x32_F32E4M3E5M2_SS_TN      (f32: E4m3, E5m2; Rounded; "m64n64k32.f32.e4m3.e5m2");
    SM90_64x64x32_F16E5M2E4M3_SS_TN      (f16: E5m2, E4m3; Rounded; "m64n64k32.f16.e5m2.e4m3");
    SM90_64x64x32_F32E5M2E4M3_SS_TN      (f32: E5m2, E4m3; Rounded; "m64n64k32.f32.e5m2.e4m3");
    SM90_64x64x32_F16E5M2E5M2_SS_TN      (f16: E5m2, E5m2; Rounded; "m64n64k32.f16.e5m2.e5m2");
    SM90_64x64x32_F32E5M2E5M2_SS_TN      (f32: E5m2, E5m2; Rounded; "m64n64k32.f32.e5m2.e5m2");
}
[64 x 96 x 32, 128:1, A (128, (64, 32)):(0, (1, 64)), B (128, (96, 32)):(0, (1, 96)),
    C ((4, 8, 4), (2, 2, 12)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x96x32_S32S8S8_SS_TN          (i32: i8, i8; Wrapped; "m64n96k32.s32.s8.s8");
    SM90_64x96x32_S32S8S8_SS_TN_SATURATE (i32: i8, i8; Clamped; "m64n96k32.s32.s8.s8.satfinite");
    SM90_64x96x32_S32S8U8_SS_TN          (i32: i8, u8; Wrapped; "m64n96k32.s32.s8.u8");
    SM90_64x96x32_S32S8U8_SS_TN_SATURATE (i32: i8, u8; Clamped; "m64n96k32.s32.s8.u8.satfinite");
    SM90_64x96x32_S32U8S8_SS_TN          (i32: u8, i8; Wrapped; "m64n96k32.s32.u8.s8");
    SM90_64x96x32_S32U8S8_SS_TN_SATURATE (i32: u8, i8; Clamped; "m64n96k32.s32.u8.s8.satfinite");
    SM90_64x96x32_S32U8U8_SS_TN          (i32: u8, u8; Wrapped; "m64n96k32.s32.u8.u8");
    SM90_64x96x32_S32U8U8_SS_TN_SATURATE (i32: u8, u8; Clamped; "m64n96k32.s32.u8.u8.satfinite");
    SM90_64x96x32_F16E4M3E4M3_SS_TN      (f16: E4m3, E4m3; Rounded; "m64n96k32.f16.e4m3.e4m3");
    SM90_64x96x32_F32E4M3E4M3_SS_TN      (f32: E4m3, E4m3; Rounded; "m64n96k32.f32.e4m3.e4m3");
    SM90_64x96x32_F16E4M3E5M2_SS_TN      (f16: E4m3, E5m2; Rounded; "m64n96k32.f16.e4m3.e5m2");
    SM90_64x96x32_F32E4M3E5M2_SS_TN      (f32: E4m3, E5m2; Rounded; "m64n96k32.f32.e4m3.e5m2");
    SM90_64x96x32_F16E5M2E4M3_SS_TN      (f16: E5m2, E4m3; Rounded; "m64n96k32.f16.e5m2.e4m3");
    SM90_64x96x32_F32E5M2E4M3_SS_TN      (f32: E5m2, E4m3; Rounded; "m64n96k32.f32.e5m2.e4m3");
    SM90_64x96x32_F16E5M2E5M2_SS_TN      (f16: E5m2, E5m2; Rounded; "m64n96k32.f16.e5m2.e5m2");
    SM90_64x96x32_F32E5M2E5M2_SS_TN      (f32: E5m2, E5m2; Rounded; "m64n96k32.f32.e5m2.e5m2");
}
[64 x 128 x 32, 128:1, A (128, (64, 32)):(0, (1, 64)), B (128, (128, 32)):(0, (1, 128)),
    C ((4, 8, 4), (2, 2, 16)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x128x32_S32S8S8_SS_TN          (i32: i8, i8; Wrapped; "m64n128k32.s32.s8.s8");
    SM90_64x128x32_S32S8S8_SS_TN_SATURATE (i32: i8, i8; Clamped; "m64n128k32.s32.s8.s8.satfinite");
    SM90_64x128x32_S32S8U8_SS_TN          (i32: i8, u8; Wrapped; "m64n128k32.s32.s8.u8");
    SM90_64x128x32_S32S8U8_SS_TN_SATURATE (i32: i8, u8; Clamped; "m64n128k32.s32.s8.u8.satfinite");
    SM90_64x128x32_S32U8S8_SS_TN          (i32: u8, i8; Wrapped; "m64n128k32.s32.u8.s8");
    SM90_64x128x32_S32U8S8_SS_TN_SATURATE (i32: u8, i8; Clamped; "m64n128k32.s32.u8.s8.satfinite");
    SM90_64x128x32_S32U8U8_SS_TN          (i32: u8, u8; Wrapped; "m64n128k32.s32.u8.u8");
    SM90_64x128x32_S32U8U8_SS_TN_SATURATE (i32: u8, u8; Clamped; "m64n128k32.s32.u8.u8.satfinite");
    SM90_64x128x32_F16E4M3E4M3_SS_TN      (f16: E4m3, E4m3; Rounded; "m64n128k32.f16.e4m3.e4m3");
    SM90_64x128x32_F32E4M3E4M3_SS_TN      (f32: E4m3, E4m3; Rounded; "m64n128k32.f32.e4m3.e4m3");
    SM90_64x128x32_F16E4M3E5M2_SS_TN      (f16: E4m3, E5m2; Rounded; "m64n128k32.f16.e4m3.e5m2");
    SM90_64x128x32_F32E4M3E5M2_SS_TN      (f32: E4m3, E5m2; Rounded; "m64n128k32.f32.e4m3.e5m2");
    SM90_64x128x32_F16E5M2E4M3_SS_TN      (f16: E5m2, E4m3; Rounded; "m64n128k32.f16.e5m2.e4m3");
    SM90_64x128x32_F32E5M2E4M3_SS_TN      (f32: E5m2, E4m3; Rounded; "m64n128k32.f32.e5m2.e4m3");
    SM90_64x128x32_F16E5M2E5M2_SS_TN      (f16: E5m2, E5m2; Rounded; "m64n128k32.f16.e5m2.e5m2");
    SM90_64x128x32_F32E5M2E5M2_SS_TN      (f32: E5m2, E5m2; Rounded; "m64n128k32.f32.e5m2.e5m2");
}
[64 x 192 x 32, 128:1, A (128, (64, 32)):(0, (1, 64)), B (128, (192, 32)):(0, (1, 192)),
    C ((4, 8, 4), (2, 2, 24)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x192x32_S32S8S8_SS_TN          (i32: i8, i8; Wrapped; "m64n192k32.s32.s8.s8");
    SM90_64x192x32_S32S8S8_SS_TN_SATURATE (i32: i8, i8; Clamped; "m64n192k32.s32.s8.s8.satfinite");
    SM90_64x192x32_S32S8U8_SS_TN          (i32: i8, u8; Wrapped; "m64n192k32.s32.s8.u8");
    SM90_64x192x32_S32S8U8_SS_TN_SATURATE (i32: i8, u8; Clamped; "m64n192k32.s32.s8.u8.satfinite");
    SM90_64x192x32_S32U8S8_SS_TN          (i32: u8, i8; Wrapped; "m64n192k32.s32.u8.s8");
    SM90_64x192x32_S32U8S8_SS_TN_SATURATE (i32: u8, i8; Clamped; "m64n192k32.s32.u8.s8.satfinite");
    SM90_64x192x32_S32U8U8_SS_TN          (i32: u8, u8; Wrapped; "m64n192k32.s32.u8.u8");
    SM90_64x192x32_S32U8U8_SS_TN_SATURATE (i32: u8, u8; Clamped; "m64n192k32.s32.u8.u8.satfinite");
    SM90_64x192x32_F16E4M3E4M3_SS_TN      (f16: E4m3, E4m3; Rounded; "m64n192k32.f16.e4m3.e4m3");
    SM90_64x192x32_F32E4M3E4M3_SS_TN      (f32: E4m3, E4m3; Rounded; "m64n192k32.f32.e4m3.e4m3");
    SM90_64x192x32_F16E4M3E5M2_SS_TN      (f16: E4m3, E5m2; Rounded; "m64n192k32.f16.e4m3.e5m2");
    SM90_64x192x32_F32E4M3E5M2_SS_TN      (f32: E4m3, E5m2; Rounded; "m64n192k32.f32.e4m3.e5m2");
    SM90_64x192x32_F16E5M2E4M3_SS_TN      (f16: E5m2, E4m3; Rounded; "m64n192k32.f16.e5m2.e4m3");
    SM90_64x192x32_F32E5M2E4M3_SS_TN      (f32: E5m2, E4m3; Rounded; "m64n192k32.f32.e5m2.e4m3");
    SM90_64x192x32_F16E5M2E5M2_SS_TN      (f16: E5m2, E5m2; Rounded; "m64n192k32.f16.e5m2.e5m2");
    SM90_64x192x32_F32E5M2E5M2_SS_TN      (f32: E5m2, E5m2; Rounded; "m64n192k32.f32.e5m2.e5m2");
}
[64 x 256 x 32, 128:1, A (128, (64, 32)):(0, (1, 64)), B (128, (256, 32)):(0, (1, 256)),
    C ((4, 8, 4), (2, 2, 32)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x256x32_S32S8S8_SS_TN          (i32: i8, i8; Wrapped; "m64n256k32.s32.s8.s8");
    SM90_64x256x32_S32S8S8_SS_TN_SATURATE (i32: i8, i8; Clamped; "m64n256k32.s32.s8.s8.satfinite");
    SM90_64x256x32_S32S8U8_SS_TN          (i32: i8, u8; Wrapped; "m64n256k32.s32.s8.u8");
    SM90_64x256x32_S32S8U8_SS_TN_SATURATE (i32: i8, u8; Clamped; "m64n256k32.s32.s8.u8.satfinite");
    SM90_64x256x32_S32U8S8_SS_TN          (i32: u8, i8; Wrapped; "m64n256k32.s32.u8.s8");
    SM90_64x256x32_S32U8S8_SS_TN_SATURATE (i32: u8, i8; Clamped; "m64n256k32.s32.u8.s8.satfinite");
    SM90_64x256x32_S32U8U8_SS_TN          (i32: u8, u8; Wrapped; "m64n256k32.s32.u8.u8");
    SM90_64x256x32_S32U8U8_SS_TN_SATURATE (i32: u8, u8; Clamped; "m64n256k32.s32.u8.u8.satfinite");
    SM90_64x256x32_F16E4M3E4M3_SS_TN      (f16: E4m3, E4m3; Rounded; "m64n256k32.f16.e4m3.e4m3");
    SM90_64x256x32_F32E4M3E4M3_SS_TN      (f32: E4m3, E4m3; Rounded; "m64n256k32.f32.e4m3.e4m3");
    SM90_64x256x32_F16E4M3E5M2_SS_TN      (f16: E4m3, E5m2; Rounded; "m64n256k32.f16.e4m3.e5m2");
    SM90_64x256x32_F32E4M3E5M2_SS_TN      (f32: E4m3, E5m2; Rounded; "m64n256k32.f32.e4m3.e5m2");
    SM90_64x256x32_F16E5M2E4M3_SS_TN      (f16: E5m2, E4m3; Rounded; "m64n256k32.f16.e5m2.e4m3");
    SM90_64x256x32_F32E5M2E4M3_SS_TN      (f32: E5m2, E4m3; Rounded; "m64n256k32.f32.e5m2.e4m3");
    SM90_64x256x32_F16E5M2E5M2_SS_TN      (f16: E5m2, E5m2; Rounded; "m64n256k32.f16.e5m2.e5m2");
    SM90_64x256x32_F32E5M2E5M2_SS_TN      (f32: E5m2, E5m2; Rounded; "m64n256k32.f32.e5m2.e5m2");
}
[64 x 8 x 32, 128:1, A ((4, 8, 4), (4, 2, 2)):((256, 1, 16), (64, 8, 1024)),
    B (128, (8, 32)):(0, (1, 8)), C ((4, 8, 4), (2, 2, 1)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x8x32_S32S8S8_RS_TN          (i32: i8, i8; Wrapped; "m64n8k32.s32.s8.s8");
    SM90_64x8x32_S32S8S8_RS_TN_SATURATE (i32: i8, i8; Clamped; "m64n8k32.s32.s8.s8.satfinite");
    SM90_64x8x32_S32S8U8_RS_TN          (i32: i8, u8; Wrapped; "m64n8k32.s32.s8.u8");
    SM90_64x8x32_S32S8U8_RS_TN_SATURATE (i32: i8, u8; Clamped; "m64n8k32.s32.s8.u8.satfinite");
    SM90_64x8x32_S32U8S8_RS_TN          (i32: u8, i8; Wrapped; "m64n8k32.s32.u8.s8");
    SM90_64x8x32_S32U8S8_RS_TN_SATURATE (i32: u8, i8; Clamped; "m64n8k32.s32.u8.s8.satfinite");
    SM90_64x8x32_S32U8U8_RS_TN          (i32: u8, u8; Wrapped; "m64n8k32.s32.u8.u8");
    SM90_64x8x32_S32U8U8_RS_TN_SATURATE (i32: u8, u8; Clamped; "m64n8k32.s32.u8.u8.satfinite");
    SM90_64x8x32_F16E4M3E4M3_RS_TN      (f16: E4m3, E4m3; Rounded; "m64n8k32.f16.e4m3.e4m3");
    SM90_64x8x32_F32E4M3E4M3_RS_TN      (f32: E4m3, E4m3; Rounded; "m64n8k32.f32.e4m3.e4m3");
    SM90_64x8x32_F16E4M3E5M2_RS_TN      (f16: E4m3, E5m2; Rounded; "m64n8k32.f16.e4m3.e5m2");
    SM90_64x8x32_F32E4M3E5M2_RS_TN      (f32: E4m3, E5m2; Rounded; "m64n8k32.f32.e4m3.e5m2");
    SM90_64x8x32_F16E5M2E4M3_RS_TN      (f16: E5m2, E4m3; Rounded; "m64n8k32.f16.e5m2.e4m3");
    SM90_64x8x32_F32E5M2E4M3_RS_TN      (f32: E5m2, E4m3; Rounded; "m64n8k32.f32.e5m2.e4m3");
    SM90_64x8x32_F16E5M2E5M2_RS_TN      (f16: E5m2, E5m2; Rounded; "m64n8k32.f16.e5m2.e5m2");
    SM90_64x8x32_F32E5M2E5M2_RS_TN      (f32: E5m2, E5m2; Rounded; "m64n8k32.f32.e5m2.e5m2");
}
[64 x 16 x 32, 128:1, A ((4, 8, 4), (4, 2, 2)):((256, 1, 16), (64, 8, 1024)),
    B (128, (16, 32)):(0, (1, 16)), C ((4, 8, 4), (2, 2, 2)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x16x32_S32S8S8_RS_TN          (i32: i8, i8; Wrapped; "m64n16k32.s32.s8.s8");
    SM90_64x16x32_S32S8S8_RS_TN_SATURATE (i32: i8, i8; Clamped; "m64n16k32.s32.s8.s8.satfinite");
    SM90_64x16x32_S32S8U8_RS_TN          (i32: i8, u8; Wrapped; "m64n16k32.s32.s8.u8");
    SM90_64x16x32_S32S8U8_RS_TN_SATURATE (i32: i8, u8; Clamped; "m64n16k32.s32.s8.u8.satfinite");
    SM90_64x16x32_S32U8S8_RS_TN          (i32: u8, i8; Wrapped; "m64n16k32.s32.u8.s8");
    SM90_64x16x32_S32U8S8_RS_TN_SATURATE (i32: u8, i8; Clamped; "m64n16k32.s32.u8.s8.satfinite");
    SM90_64x16x32_S32U8U8_RS_TN          (i32: u8, u8; Wrapped; "m64n16k32.s32.u8.u8");
    SM90_64x16x32_S32U8U8_RS_TN_SATURATE (i32: u8, u8; Clamped; "m64n16k32.s32.u8.u8.satfinite");
    SM90_64x16x32_F16E4M3E4M3_RS_TN      (f16: E4m3, E4m3; Rounded; "m64n16k32.f16.e4m3.e4m3");
    SM90_64x16x32_F32E4M3E4M3_RS_TN      (f32: E4m3, E4m3; Rounded; "m64n16k32.f32.e4m3.e4m3");
    SM90_64x16x32_F16E4M3E5M2_RS_TN      (f16: E4m3, E5m2; Rounded; "m64n16k32.f16.e4m3.e5m2");
    SM90_64x16x32_F32E4M3E5M2_RS_TN      (f32: E4m3, E5m2; Rounded; "m64n16k32.f32.e4m3.e5m2");
    SM90_64x16x32_F16E5M2E4M3_RS_TN      (f16: E5m2, E4m3; Rounded; "m64n16k32.f16.e5m2.e4m3");
    SM90_64x16x32_F32E5M2E4M3_RS_TN      (f32: E5m2, E4m3; Rounded; "m64n16k32.f32.e5m2.e4m3");
    SM90_64x16x32_F16E5M2E5M2_RS_TN      (f16: E5m2, E5m2; Rounded; "m64n16k32.f16.e5m2.e5m2");
    SM90_64x16x32_F32E5M2E5M2_RS_TN      (f32: E5m2, E5m2; Rounded; "m64n16k32.f32.e5m2.e5m2");
}
[64 x 32 x 32, 128:1, A ((4, 8, 4), (4, 2, 2)):((256, 1, 16), (64, 8, 1024)),
    B (128, (32, 32)):(0, (1, 32)), C ((4, 8, 4), (2, 2, 4)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x32x32_S32S8S8_RS_TN          (i32: i8, i8; Wrapped; "m64n32k32.s32.s8.s8");
    SM90_64x32x32_S32S8S8_RS_TN_SATURATE (i32: i8, i8; Clamped; "m64n32k32.s32.s8.s8.satfinite");
    SM90_64x32x32_S32S8U8_RS_TN          (i32: i8, u8; Wrapped; "m64n32k32.s32.s8.u8");
    SM90_64x32x32_S32S8U8_RS_TN_SATURATE (i32: i8, u8; Clamped; "m64n32k32.s32.s8.u8.satfinite");
    SM90_64x32x32_S32U8S8_RS_TN          (i32: u8, i8; Wrapped; "m64n32k32.s32.u8.s8");
    SM90_64x32x32_S32U8S8_RS_TN_SATURATE (i32: u8, i8; Clamped; "m64n32k32.s32.u8.s8.satfinite");
    SM90_64x32x32_S32U8U8_RS_TN          (i32: u8, u8; Wrapped; "m64n32k32.s32.u8.u8");
    SM90_64x32x32_S32U8U8_RS_TN_SATURATE (i32: u8, u8; Clamped; "m64n32k32.s32.u8.u8.satfinite");
    SM90_64x32x32_F16E4M3E4M3_RS_TN      (f16: E4m3, E4m3; Rounded; "m64n32k32.f16.e4m3.e4m3");
    SM90_64x32x32_F32E4M3E4M3_RS_TN      (f32: E4m3, E4m3; Rounded; "m64n32k32.f32.e4m3.e4m3");
    SM90_64x32x32_F16E4M3E5M2_RS_TN      (f16: E4m3, E5m2; Rounded; "m64n32k32.f16.e4m3.e5m2");
    SM90_64x32x32_F32E4M3E5M2_RS_TN      (f32: E4m3, E5m2; Rounded; "m64n32k32.f32.e4m3.e5m2");
    SM90_64x32x32_F16E5M2E4M3_RS_TN      (f16: E5m2, E4m3; Rounded; "m64n32k32.f16.e5m2.e4m3");
    SM90_64x32x32_F32E5M2E4M3_RS_TN      (f32: E5m2, E4m3; Rounded; "m64n32k32.f32.e5m2.e4m3");
    SM90_64x32x32_F16E5M2E5M2_RS_TN      (f16: E5m2, E5m2; Rounded; "m64n32k32.f16.e5m2.e5m2");
    SM90_64x32x32_F32E5M2E5M2_RS_TN      (f32: E5m2, E5m2; Rounded; "m64n32k32.f32.e5m2.e5m2");
}
[64 x 64 x 32, 128:1, A ((4, 8, 4), (4, 2, 2)):((256, 1, 16), (64, 8, 1024)),
    B (128, (64, 32)):(0, (1, 64)), C ((4, 8, 4), (2, 2, 8)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x64x32_S32S8S8_RS_TN          (i32: i8, i8; Wrapped; "m64n64k32.s32.s8.s8");
    SM90_64x64x32_S32S8S8_RS_TN_SATURATE (i32: i8, i8; Clamped; "m64n64k32.s32.s8.s8.satfinite");
    SM90_64x64x32_S32S8U8_RS_TN          (i32: i8, u8; Wrapped; "m64n64k32.s32.s8.u8");
    SM90_64x64x32_S32S8U8_RS_TN_SATURATE (i32: i8, u8; Clamped; "m64n64k32.s32.s8.u8.satfinite");
    SM90_64x64x32_S32U8S8_RS_TN          (i32: u8, i8; Wrapped; "m64n64k32.s32.u8.s8");
    SM90_64x64x32_S32U8S8_RS_TN_SATURATE (i32: u8, i8; Clamped; "m64n64k32.s32.u8.s8.satfinite");
    SM90_64x64x32_S32U8U8_RS_TN          (i32: u8, u8; Wrapped; "m64n64k32.s32.u8.u8");
    SM90_64x64x32_S32U8U8_RS_TN_SATURATE (i32: u8, u8; Clamped; "m64n64k32.s32.u8.u8.satfinite");
    SM90_64x64x32_F16E4M3E4M3_RS_TN      (f16: E4m3, E4m3; Rounded; "m64n64k32.f16.e4m3.e4m3");
    SM90_64x64x32_F32E4M3E4M3_RS_TN      (f32: E4m3, E4m3; Rounded; "m64n64k32.f32.e4m3.e4m3");
    SM90_64x64x32_F16E4M3E5M2_RS_TN      (f16: E4m3, E5m2; Rounded; "m64n64k32.f16.e4m3.e5m2");
    SM90_64x64x32_F32E4M3E5M2_RS_TN      (f32: E4m3, E5m2; Rounded; "m64n64k32.f32.e4m3.e5m2");
    SM90_64x64x32_F16E5M2E4M3_RS_TN      (f16: E5m2, E4m3; Rounded; "m64n64k32.f16.e5m2.e4m3");
    SM90_64x64x32_F32E5M2E4M3_RS_TN      (f32: E5m2, E4m3; Rounded; "m64n64k32.f32.e5m2.e4m3");
    SM90_64x64x32_F16E5M2E5M2_RS_TN      (f16: E5m2, E5m2; Rounded; "m64n64k32.f16.e5m2.e5m2");
    SM90_64x64x32_F32E5M2E5M2_RS_TN      (f32: E5m2, E5m2; Rounded; "m64n64k32.f32.e5m2.e5m2");
}
[64 x 96 x 32, 128:1, A ((4, 8, 4), (4, 2, 2)):((256, 1, 16), (64, 8, 1024)),
    B (128, (96, 32)):(0, (1, 96)), C ((4, 8, 4), (2, 2, 12)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x96x32_S32S8S8_RS_TN          (i32: i8, i8; Wrapped; "m64n96k32.s32.s8.s8");
    SM90_64x96x32_S32S8S8_RS_TN_SATURATE (i32: i8, i8; Clamped; "m64n96k32.s32.s8.s8.satfinite");
    SM90_64x96x32_S32S8U8_RS_TN          (i32: i8, u8; Wrapped; "m64n96k32.s32.s8.u8");
    SM90_64x96x32_S32S8U8_RS_TN_SATURATE (i32: i8, u8; Clamped; "m64n96k32.s32.s8.u8.satfinite");
    SM90_64x96x32_S32U8S8_RS_TN          (i32: u8, i8; Wrapped; "m64n96k32.s32.u8.s8");
    SM90_64x96x32_S32U8S8_RS_TN_SATURATE (i32: u8, i8; Clamped; "m64n96k32.s32.u8.s8.satfinite");
    SM90_64x96x32_S32U8U8_RS_TN          (i32: u8, u8; Wrapped; "m64n96k32.s32.u8.u8");
    SM90_64x96x32_S32U8U8_RS_TN_SATURATE (i32: u8, u8; Clamped; "m64n96k32.s32.u8.u8.satfinite");
    SM90_64x96x32_F16E4M3E4M3_RS_TN      (f16: E4m3, E4m3; Rounded; "m64n96k32.f16.e4m3.e4m3");
    SM90_64x96x32_F32E4M3E4M3_RS_TN      (f32: E4m3, E4m3; Rounded; "m64n96k32.f32.e4m3.e4m3");
    SM90_64x96x32_F16E4M3E5M2_RS_TN      (f16: E4m3, E5m2; Rounded; "m64n96k32.f16.e4m3.e5m2");
    SM90_64x96x32_F32E4M3E5M2_RS_TN      (f32: E4m3, E5m2; Rounded; "m64n96k32.f32.e4m3.e5m2");
    SM90_64x96x32_F16E5M2E4M3_RS_TN      (f16: E5m2, E4m3; Rounded; "m64n96k32.f16.e5m2.e4m3");
    SM90_64x96x32_F32E5M2E4M3_RS_TN      (f32: E5m2, E4m3; Rounded; "m64n96k32.f32.e5m2.e4m3");
    SM90_64x96x32_F16E5M2E5M2_RS_TN      (f16: E5m2, E5m2; Rounded; "m64n96k32.f16.e5m2.e5m2");
    SM90_64x96x32_F32E5M2E5M2_RS_TN      (f32: E5m2, E5m2; Rounded; "m64n96k32.f32.e5m2.e5m2");
}
[64 x 128 x 32, 128:1, A ((4, 8, 4), (4, 2, 2)):((256, 1, 16), (64, 8, 1024)),
    B (128, (128, 32)):(0, (1, 128)), C ((4, 8, 4), (2, 2, 16)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x128x32_S32S8S8_RS_TN          (i32: i8, i8; Wrapped; "m64n128k32.s32.s8.s8");
    SM90_64x128x32_S32S8S8_RS_TN_SATURATE (i32: i8, i8; Clamped; "m64n128k32.s32.s8.s8.satfinite");
    SM90_64x128x32_S32S8U8_RS_TN          (i32: i8, u8; Wrapped; "m64n128k32.s32.s8.u8");
    SM90_64x128x32_S32S8U8_RS_TN_SATURATE (i32: i8, u8; Clamped; "m64n128k32.s32.s8.u8.satfinite");
    SM90_64x128x32_S32U8S8_RS_TN          (i32: u8, i8; Wrapped; "m64n128k32.s32.u8.s8");
    SM90_64x128x32_S32U8S8_RS_TN_SATURATE (i32: u8, i8; Clamped; "m64n128k32.s32.u8.s8.satfinite");
    SM90_64x128x32_S32U8U8_RS_TN          (i32: u8, u8; Wrapped; "m64n128k32.s32.u8.u8");
    SM90_64x128x32_S32U8U8_RS_TN_SATURATE (i32: u8, u8; Clamped; "m64n128k32.s32.u8.u8.satfinite");
    SM90_64x128x32_F16E4M3E4M3_RS_TN      (f16: E4m3, E4m3; Rounded; "m64n128k32.f16.e4m3.e4m3");
    SM90_64x128x32_F32E4M3E4M3_RS_TN      (f32: E4m3, E4m3; Rounded; "m64n128k32.f32.e4m3.e4m3");
    SM90_64x128x32_F16E4M3E5M2_RS_TN      (f16: E4m3, E5m2; Rounded; "m64n128k32.f16.e4m3.e5m2");
    SM90_64x128x32_F32E4M3E5M2_RS_TN      (f32: E4m3, E5m2; Rounded; "m64n128k32.f32.e4m3.e5m2");
    SM90_64x128x32_F16E5M2E4M3_RS_TN      (f16: E5m2, E4m3; Rounded; "m64n128k32.f16.e5m2.e4m3");
    SM90_64x128x32_F32E5M2E4M3_RS_TN      (f32: E5m2, E4m3; Rounded; "m64n128k32.f32.e5m2.e4m3");
    SM90_64x128x32_F16E5M2E5M2_RS_TN      (f16: E5m2, E5m2; Rounded; "m64n128k32.f16.e5m2.e5m2");
    SM90_64x128x32_F32E5M2E5M2_RS_TN      (f32: E5m2, E5m2; Rounded; "m64n128k32.f32.e5m2.e5m2");
}
[64 x 192 x 32, 128:1, A ((4, 8, 4), (4, 2, 2)):((256, 1, 16), (64, 8, 1024)),
    B (128, (192, 32)):(0, (1, 192)), C ((4, 8, 4), (2, 2, 24)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x192x32_S32S8S8_RS_TN          (i32: i8, i8; Wrapped; "m64n192k32.s32.s8.s8");
    SM90_64x192x32_S32S8S8_RS_TN_SATURATE (i32: i8, i8; Clamped; "m64n192k32.s32.s8.s8.satfinite");
    SM90_64x192x32_S32S8U8_RS_TN          (i32: i8, u8; Wrapped; "m64n192k32.s32.s8.u8");
    SM90_64x192x32_S32S8U8_RS_TN_SATURATE (i32: i8, u8; Clamped; "m64n192k32.s32.s8.u8.satfinite");
    SM90_64x192x32_S32U8S8_RS_TN          (i32: u8, i8; Wrapped; "m64n192k32.s32.u8.s8");
    SM90_64x192x32_S32U8S8_RS_TN_SATURATE (i32: u8, i8; Clamped; "m64n192k32.s32.u8.s8.satfinite");
    SM90_64x192x32_S32U8U8_RS_TN          (i32: u8, u8; Wrapped; "m64n192k32.s32.u8.u8");
    SM90_64x192x32_S32U8U8_RS_TN_SATURATE (i32: u8, u8; Clamped; "m64n192k32.s32.u8.u8.satfinite");
    SM90_64x192x32_F16E4M3E4M3_RS_TN      (f16: E4m3, E4m3; Rounded; "m64n192k32.f16.e4m3.e4m3");
    SM90_64x192x32_F32E4M3E4M3_RS_TN      (f32: E4m3, E4m3; Rounded; "m64n192k32.f32.e4m3.e4m3");
    SM90_64x192x32_F16E4M3E5M2_RS_TN      (f16: E4m3, E5m2; Rounded; "m64n192k32.f16.e4m3.e5m2");
    SM90_64x192x32_F32E4M3E5M2_RS_TN      (f32: E4m3, E5m2; Rounded; "m64n192k32.f32.e4m3.e5m2");
    SM90_64x192x32_F16E5M2E4M3_RS_TN      (f16: E5m2, E4m3; Rounded; "m64n192k32.f16.e5m2.e4m3");
    SM90_64x192x32_F32E5M2E4M3_RS_TN      (f32: E5m2, E4m3; Rounded; "m64n192k32.f32.e5m2.e4m3");
    SM90_64x192x32_F16E5M2E5M2_RS_TN      (f16: E5m2, E5m2; Rounded; "m64n192k32.f16.e5m2.e5m2");
    SM90_64x192x32_F32E5M2E5M2_RS_TN      (f32: E5m2, E5m2; Rounded; "m64n192k32.f32.e5m2.e5m2");
}
[64 x 256 x 32, 128:1, A ((4, 8, 4), (4, 2, 2)):((256, 1, 16), (64, 8, 1024)),
    B (128, (256, 32)):(0, (1, 256)), C ((4, 8, 4), (2, 2, 32)):((128, 1, 16), (64, 8, 512))] {
    SM90_64x256x32_S32S8S8_RS_TN          (i32: i8, i8; Wrapped; "m64n256k32.s32.s8.s8");
    SM90_64x256x32_S32S8S8_RS_TN_SATURATE (i32: i8, i8; Clamped; "m64n256k32.s32.s8.s8.satfinite");
    SM90_64x256x32_S32S8U8_RS_TN          (i32: i8, u8; Wrapped; "m64n256k32.s32.s8.u8");
    SM90_64x256x32_S32S8U8_RS_TN_SATURATE (i32: i8, u8; Clamped; "m64n256k32.s32.s8.u8.satfinite");
    SM90_64x256x32_S32U8S8_RS_TN          (i32: u8, i8; Wrapped; "m64n256k32.s32.u8.s8");
    SM90_64x256x32_S32U8S8_RS_TN_SATURATE (i32: u8, i8; Clamped; "m64n256k32.s32.u8.s8.satfinite");
    SM90_64x256x32_S32U8U8_RS_TN          (i32: u8, u8; Wrapped; "m64n256k32.s32.u8.u8");
    SM90_64x256x32_S32U8U8_RS_TN_SATURATE (i32: u8, u8; Clamped; "m64n256k32.s32.u8.u8.satfinite");
    SM90_64x256x32_F16E4M3E4M3_RS_TN      (f16: E4m3, E4m3; Rounded; "m64n256k32.f16.e4m3.e4m3");
    SM90_64x256x32_F32E4M3E4M3_RS_TN      (f32: E4m3, E4m3; Rounded; "m64n256k32.f32.e4m3.e4m3");
    SM90_64x256x32_F16E4M3E5M2_RS_TN      (f16: E4m3, E5m2; Rounded; "m64n256k32.f16.e4m3.e5m2");
    SM90_64x256x32_F32E4M3E5M2_RS_TN      (f32: E4m3, E5m2; Rounded; "m64n256k32.f32.e4m3.e5m2");
    SM90_64x256x32_F16E5M2E4M3_RS_TN      (f16: E5m2, E4m3; Rounded; "m64n256k32.f16.e5m2.e4m3");
    SM90_64x256x32_F32E5M2E4M3_RS_TN      (f32: E5m2, E4m3; Rounded; "m64n256k32.f32.e5m2.e4m3");
    SM90_64x256x32_F16E5M2E5M2_RS_TN      (f16: E5m2, E5m2; Rounded; "m64n256k32.f16.e5m2.e5m2");
    SM90_64x256x32_F32E5M2E5M2_RS_TN      (f32: E5m2, E5m2; Rounded; "m64n256k32.f32.e5m2.e5m2");
}
}
