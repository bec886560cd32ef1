//! Floats of 8 bits. CuTe's `mma_traits_sm89.hpp`.

use half::f16;

use crate::element::{E4m3, E5m2};

instructions! {
[
    16 x 8 x 32, 32:1,
    A ((4, 8), (4, 2, 2)):((64, 1), (16, 8, 256)), B ((4, 8), (4, 2)):((32, 1), (8, 128)),
    C ((4, 8), (2, 2)):((32, 1), (16, 8))
] {
    SM89_16x8x32_F32E4M3E4M3F32_TN (f32: E4m3, E4m3; Rounded; "m16n8k32.row.col.f32.e4m3.e4m3.f32" 4 4 2);
    SM89_16x8x32_F32E4M3E5M2F32_TN (f32: E4m3, E5m2; Rounded; "m16n8k32.row.col.f32.e4m3.e5m2.f32" 4 4 2);
    SM89_16x8x32_F32E5M2E5M2F32_TN (f32: E5m2, E5m2; Rounded; "m16n8k32.row.col.f32.e5m2.e5m2.f32" 4 4 2);
    SM89_16x8x32_F32E5M2E4M3F32_TN (f32: E5m2, E4m3; Rounded; "m16n8k32.row.col.f32.e5m2.e4m3.f32" 4 4 2);
    SM89_16x8x32_F16E4M3E4M3F16_TN (f16: E4m3, E4m3; Rounded; "m16n8k32.row.col.f16.e4m3.e4m3.f16" 2 4 2);
    SM89_16x8x32_F16E4M3E5M2F16_TN (f16: E4m3, E5m2; Rounded; "m16n8k32.row.col.f16.e4m3.e5m2.f16" 2 4 2);
    SM89_16x8x32_F16E5M2E5M2F16_TN (f16: E5m2, E5m2; Rounded; "m16n8k32.row.col.f16.e5m2.e5m2.f16" 2 4 2);
    SM89_16x8x32_F16E5M2E4M3F16_TN (f16: E5m2, E4m3; Rounded; "m16n8k32.row.col.f16.e5m2.e4m3.f16" 2 4 2);
}
}
