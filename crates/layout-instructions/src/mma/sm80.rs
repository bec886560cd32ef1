//! CuTe's `mma_traits_sm80.hpp`.

use half::{bf16, f16};

use crate::element::{C64, GaussComplex, I4x8, Tf32, U1x32, U4x8};

instructions! {
[
    16 x 8 x 8, 32:1,
    A ((4, 8), (2, 2)):((32, 1), (16, 8)), B ((4, 8), 2):((16, 1), 8),
    C ((4, 8), (2, 2)):((32, 1), (16, 8))
] {
    SM80_16x8x8_F16F16F16F16_TN   (f16: f16, f16;   Rounded; "m16n8k8.row.col.f16.f16.f16.f16" 2 2 1);
    SM80_16x8x8_F32F16F16F32_TN   (f32: f16, f16;   Rounded; "m16n8k8.row.col.f32.f16.f16.f32" 4 2 1);
    SM80_16x8x8_F32BF16BF16F32_TN (f32: bf16, bf16; Rounded; "m16n8k8.row.col.f32.bf16.bf16.f32" 4 2 1);
}
[
    16 x 8 x 16, 32:1,
    A ((4, 8), (2, 2, 2)):((32, 1), (16, 8, 128)), B ((4, 8), (2, 2)):((16, 1), (8, 64)),
    C ((4, 8), (2, 2)):((32, 1), (16, 8))
] {
    SM80_16x8x16_F16F16F16F16_TN   (f16: f16, f16;   Rounded; "m16n8k16.row.col.f16.f16.f16.f16" 2 4 2);
    SM80_16x8x16_F32F16F16F32_TN   (f32: f16, f16;   Rounded; "m16n8k16.row.col.f32.f16.f16.f32" 4 4 2);
    SM80_16x8x16_F32BF16BF16F32_TN (f32: bf16, bf16; Rounded; "m16n8k16.row.col.f32.bf16.bf16.f32" 4 4 2);
}
[16 x 8 x 4, 32:1, A ((4, 8), 2):((16, 1), 8), B ((4, 8), 1):((8, 1), 0),
    C ((4, 8), (2, 2)):((32, 1), (16, 8))] {
    SM80_16x8x4_F32TF32TF32F32_TN (f32: Tf32, Tf32; Rounded; "m16n8k4.row.col.f32.tf32.tf32.f32" 4 2 1);
}
[
    16 x 8 x 8, 32:1,
    A ((4, 8), (2, 2)):((16, 1), (8, 64)), B ((4, 8), 2):((8, 1), 32),
    C ((4, 8), (2, 2)):((32, 1), (16, 8))
] {
    SM80_16x8x8_F32TF32TF32F32_TN (f32: Tf32, Tf32; Rounded; "m16n8k8.row.col.f32.tf32.tf32.f32" 4 4 2);
}
[8 x 8 x 4, 32:1, A ((4, 8), 1):((8, 1), 0), B ((4, 8), 1):((8, 1), 0),
    C ((4, 8), 2):((16, 1), 8)] {
    SM80_8x8x4_F64F64F64F64_TN   (f64: f64, f64;          Rounded; "m8n8k4.row.col.f64.f64.f64.f64" 2 1 1 x 64);
    SM80_8x8x4_C64C64C64C64_TN   (C64: C64, C64;          Rounded; complex SM80_8x8x4_F64F64F64F64_TN);
    SM80_8x8x4_GC64C64C64GC64_TN (GaussComplex: C64, C64; Rounded; gauss SM80_8x8x4_F64F64F64F64_TN);
}
[8 x 8 x 16, 32:1, A ((4, 8), 4):((32, 1), 8), B ((4, 8), 4):((32, 1), 8),
    C ((4, 8), 2):((16, 1), 8)] {
    SM80_8x8x16_S32S8S8S32_TN          (i32: i8, i8; Wrapped; "m8n8k16.row.col.s32.s8.s8.s32" 2 1 1);
    SM80_8x8x16_S32S8S8S32_TN_SATURATE (i32: i8, i8; Clamped; "m8n8k16.row.col.s32.s8.s8.s32.satfinite" 2 1 1);
    SM80_8x8x16_S32S8U8S32_TN          (i32: i8, u8; Wrapped; "m8n8k16.row.col.s32.s8.u8.s32" 2 1 1);
    SM80_8x8x16_S32S8U8S32_TN_SATURATE (i32: i8, u8; Clamped; "m8n8k16.row.col.s32.s8.u8.s32.satfinite" 2 1 1);
    SM80_8x8x16_S32U8S8S32_TN          (i32: u8, i8; Wrapped; "m8n8k16.row.col.s32.u8.s8.s32" 2 1 1);
    SM80_8x8x16_S32U8S8S32_TN_SATURATE (i32: u8, i8; Clamped; "m8n8k16.row.col.s32.u8.s8.s32.satfinite" 2 1 1);
    SM80_8x8x16_S32U8U8S32_TN          (i32: u8, u8; Wrapped; "m8n8k16.row.col.s32.u8.u8.s32" 2 1 1);
    SM80_8x8x16_S32U8U8S32_TN_SATURATE (i32: u8, u8; Clamped; "m8n8k16.row.col.s32.u8.u8.s32.satfinite" 2 1 1);
}
[
    16 x 8 x 16, 32:1,
    A ((4, 8), (4, 2)):((64, 1), (16, 8)), B ((4, 8), 4):((32, 1), 8),
    C ((4, 8), (2, 2)):((32, 1), (16, 8))
] {
    SM80_16x8x16_S32S8S8S32_TN          (i32: i8, i8; Wrapped; "m16n8k16.row.col.s32.s8.s8.s32" 4 2 1);
    SM80_16x8x16_S32S8S8S32_TN_SATURATE (i32: i8, i8; Clamped; "m16n8k16.row.col.s32.s8.s8.s32.satfinite" 4 2 1);
    SM80_16x8x16_S32S8U8S32_TN          (i32: i8, u8; Wrapped; "m16n8k16.row.col.s32.s8.u8.s32" 4 2 1);
    SM80_16x8x16_S32S8U8S32_TN_SATURATE (i32: i8, u8; Clamped; "m16n8k16.row.col.s32.s8.u8.s32.satfinite" 4 2 1);
    SM80_16x8x16_S32U8S8S32_TN          (i32: u8, i8; Wrapped; "m16n8k16.row.col.s32.u8.s8.s32" 4 2 1);
    SM80_16x8x16_S32U8S8S32_TN_SATURATE (i32: u8, i8; Clamped; "m16n8k16.row.col.s32.u8.s8.s32.satfinite" 4 2 1);
    SM80_16x8x16_S32U8U8S32_TN          (i32: u8, u8; Wrapped; "m16n8k16.row.col.s32.u8.u8.s32" 4 2 1);
    SM80_16x8x16_S32U8U8S32_TN_SATURATE (i32: u8, u8; Clamped; "m16n8k16.row.col.s32.u8.u8.s32.satfinite" 4 2 1);
}
[
    16 x 8 x 32, 32:1,
    A ((4, 8), (4, 2, 2)):((64, 1), (16, 8, 256)), B ((4, 8), (4, 2)):((32, 1), (8, 128)),
    C ((4, 8), (2, 2)):((32, 1), (16, 8))
] {
    SM80_16x8x32_S32S8S8S32_TN          (i32: i8, i8; Wrapped; "m16n8k32.row.col.s32.s8.s8.s32" 4 4 2);
    SM80_16x8x32_S32S8S8S32_TN_SATURATE (i32: i8, i8; Clamped; "m16n8k32.row.col.s32.s8.s8.s32.satfinite" 4 4 2);
    SM80_16x8x32_S32S8U8S32_TN          (i32: i8, u8; Wrapped; "m16n8k32.row.col.s32.s8.u8.s32" 4 4 2);
    SM80_16x8x32_S32S8U8S32_TN_SATURATE (i32: i8, u8; Clamped; "m16n8k32.row.col.s32.s8.u8.s32.satfinite" 4 4 2);
    SM80_16x8x32_S32U8S8S32_TN          (i32: u8, i8; Wrapped; "m16n8k32.row.col.s32.u8.s8.s32" 4 4 2);
    SM80_16x8x32_S32U8S8S32_TN_SATURATE (i32: u8, i8; Clamped; "m16n8k32.row.col.s32.u8.s8.s32.satfinite" 4 4 2);
    SM80_16x8x32_S32U8U8S32_TN          (i32: u8, u8; Wrapped; "m16n8k32.row.col.s32.u8.u8.s32" 4 4 2);
    SM80_16x8x32_S32U8U8S32_TN_SATURATE (i32: u8, u8; Clamped; "m16n8k32.row.col.s32.u8.u8.s32.satfinite" 4 4 2);
}
[
    8 x 8 x 32, 32:1,
    A ((4, 8), 8):((64, 1), 8), B ((4, 8), 8):((64, 1), 8), C ((4, 8), 2):((16, 1), 8);
    words of 8: K 4, A ((4, 8), 1):((8, 1), 0), B ((4, 8), 1):((8, 1), 0)
] {
    SM80_8x8x32_S32S4S4S32_TN          (i32: I4x8, I4x8; Wrapped; "m8n8k32.row.col.s32.s4.s4.s32" 2 1 1);
    SM80_8x8x32_S32S4S4S32_TN_SATURATE (i32: I4x8, I4x8; Clamped; "m8n8k32.row.col.s32.s4.s4.s32.satfinite" 2 1 1);
    SM80_8x8x32_S32S4U4S32_TN          (i32: I4x8, U4x8; Wrapped; "m8n8k32.row.col.s32.s4.u4.s32" 2 1 1);
    SM80_8x8x32_S32S4U4S32_TN_SATURATE (i32: I4x8, U4x8; Clamped; "m8n8k32.row.col.s32.s4.u4.s32.satfinite" 2 1 1);
    SM80_8x8x32_S32U4S4S32_TN          (i32: U4x8, I4x8; Wrapped; "m8n8k32.row.col.s32.u4.s4.s32" 2 1 1);
    SM80_8x8x32_S32U4S4S32_TN_SATURATE (i32: U4x8, I4x8; Clamped; "m8n8k32.row.col.s32.u4.s4.s32.satfinite" 2 1 1);
    SM80_8x8x32_S32U4U4S32_TN          (i32: U4x8, U4x8; Wrapped; "m8n8k32.row.col.s32.u4.u4.s32" 2 1 1);
    SM80_8x8x32_S32U4U4S32_TN_SATURATE (i32: U4x8, U4x8; Clamped; "m8n8k32.row.col.s32.u4.u4.s32.satfinite" 2 1 1);
}
[
    16 x 8 x 32, 32:1,
    A ((4, 8), (8, 2)):((128, 1), (16, 8)), B ((4, 8), 8):((64, 1), 8),
    C ((4, 8), (2, 2)):((32, 1), (16, 8));
    words of 8: K 4, A ((4, 8), 2):((16, 1), 8), B ((4, 8), 1):((8, 1), 0)
] {
    SM80_16x8x32_S32S4S4S32_TN          (i32: I4x8, I4x8; Wrapped; "m16n8k32.row.col.s32.s4.s4.s32" 4 2 1);
    SM80_16x8x32_S32S4S4S32_TN_SATURATE (i32: I4x8, I4x8; Clamped; "m16n8k32.row.col.s32.s4.s4.s32.satfinite" 4 2 1);
    SM80_16x8x32_S32S4U4S32_TN          (i32: I4x8, U4x8; Wrapped; "m16n8k32.row.col.s32.s4.u4.s32" 4 2 1);
    SM80_16x8x32_S32S4U4S32_TN_SATURATE (i32: I4x8, U4x8; Clamped; "m16n8k32.row.col.s32.s4.u4.s32.satfinite" 4 2 1);
    SM80_16x8x32_S32U4S4S32_TN          (i32: U4x8, I4x8; Wrapped; "m16n8k32.row.col.s32.u4.s4.s32" 4 2 1);
    SM80_16x8x32_S32U4S4S32_TN_SATURATE (i32: U4x8, I4x8; Clamped; "m16n8k32.row.col.s32.u4.s4.s32.satfinite" 4 2 1);
    SM80_16x8x32_S32U4U4S32_TN          (i32: U4x8, U4x8; Wrapped; "m16n8k32.row.col.s32.u4.u4.s32" 4 2 1);
    SM80_16x8x32_S32U4U4S32_TN_SATURATE (i32: U4x8, U4x8; Clamped; "m16n8k32.row.col.s32.u4.u4.s32.satfinite" 4 2 1);
}
[
    16 x 8 x 64, 32:1,
    A ((4, 8), (8, 2, 2)):((128, 1), (16, 8, 512)), B ((4, 8), (8, 2)):((64, 1), (8, 256)),
    C ((4, 8), (2, 2)):((32, 1), (16, 8));
    words of 8: K 8, A ((4, 8), (2, 2)):((16, 1), (8, 64)), B ((4, 8), 2):((8, 1), 32)
] {
    SM80_16x8x64_S32S4S4S32_TN          (i32: I4x8, I4x8; Wrapped; "m16n8k64.row.col.s32.s4.s4.s32" 4 4 2);
    SM80_16x8x64_S32S4S4S32_TN_SATURATE (i32: I4x8, I4x8; Clamped; "m16n8k64.row.col.s32.s4.s4.s32.satfinite" 4 4 2);
    SM80_16x8x64_S32S4U4S32_TN          (i32: I4x8, U4x8; Wrapped; "m16n8k64.row.col.s32.s4.u4.s32" 4 4 2);
    SM80_16x8x64_S32S4U4S32_TN_SATURATE (i32: I4x8, U4x8; Clamped; "m16n8k64.row.col.s32.s4.u4.s32.satfinite" 4 4 2);
    SM80_16x8x64_S32U4S4S32_TN          (i32: U4x8, I4x8; Wrapped; "m16n8k64.row.col.s32.u4.s4.s32" 4 4 2);
    SM80_16x8x64_S32U4S4S32_TN_SATURATE (i32: U4x8, I4x8; Clamped; "m16n8k64.row.col.s32.u4.s4.s32.satfinite" 4 4 2);
    SM80_16x8x64_S32U4U4S32_TN          (i32: U4x8, U4x8; Wrapped; "m16n8k64.row.col.s32.u4.u4.s32" 4 4 2);
    SM80_16x8x64_S32U4U4S32_TN_SATURATE (i32: U4x8, U4x8; Clamped; "m16n8k64.row.col.s32.u4.u4.s32.satfinite" 4 4 2);
}
[
    16 x 8 x 256, 32:1,
    A ((4, 8), (32, 2, 2)):((512, 1), (16, 8, 2048)), B ((4, 8), (32, 2)):((256, 1), (8, 1024)),
    C ((4, 8), (2, 2)):((32, 1), (16, 8));
    words of 32: K 8, A ((4, 8), (2, 2)):((16, 1), (8, 64)), B ((4, 8), 2):((8, 1), 32)
] {
    SM80_16x8x256_S32U1U1S32_TN_XORPOPC (i32: U1x32, U1x32; Xor;     "m16n8k256.row.col.s32.b1.b1.s32.xor.popc" 4 4 2);
    SM80_16x8x256_S32U1U1S32_TN_ANDPOPC (i32: U1x32, U1x32; Wrapped; "m16n8k256.row.col.s32.b1.b1.s32.and.popc" 4 4 2);
}
[
    8 x 8 x 128, 32:1,
    A ((4, 8), 32):((256, 1), 8), B ((4, 8), 32):((256, 1), 8), C ((4, 8), 2):((16, 1), 8);
    words of 32: K 4, A ((4, 8), 1):((8, 1), 0), B ((4, 8), 1):((8, 1), 0)
] {
    SM80_8x8x128_S32U1U1S32_TN_XORPOPC (i32: U1x32, U1x32; Xor;     "m8n8k128.row.col.s32.b1.b1.s32.xor.popc" 2 1 1);
    SM80_8x8x128_S32U1U1S32_TN_ANDPOPC (i32: U1x32, U1x32; Wrapped; "m8n8k128.row.col.s32.b1.b1.s32.and.popc" 2 1 1);
}
[
    16 x 8 x 128, 32:1,
    A ((4, 8), (32, 2)):((512, 1), (16, 8)), B ((4, 8), 32):((256, 1), 8),
    C ((4, 8), (2, 2)):((32, 1), (16, 8));
    words of 32: K 4, A ((4, 8), 2):((16, 1), 8), B ((4, 8), 1):((8, 1), 0)
] {
    SM80_16x8x128_S32U1U1S32_TN_XORPOPC (i32: U1x32, U1x32; Xor;     "m16n8k128.row.col.s32.b1.b1.s32.xor.popc" 4 2 1);
    SM80_16x8x128_S32U1U1S32_TN_ANDPOPC (i32: U1x32, U1x32; Wrapped; "m16n8k128.row.col.s32.b1.b1.s32.and.popc" 4 2 1);
}
}
