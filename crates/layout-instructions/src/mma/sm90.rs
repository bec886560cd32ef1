//! Floats of 64 bits. CuTe's `mma_traits_sm90.hpp`.

use crate::element::C64;

instructions! {
[16 x 8 x 4, 32:1, A ((4, 8), 2):((16, 1), 8), B ((4, 8), 1):((8, 1), 0),
    C ((4, 8), (2, 2)):((32, 1), (16, 8))] {
    SM90_16x8x4_F64F64F64F64_TN (f64: f64, f64; Rounded; "m16n8k4.row.col.f64.f64.f64.f64" 4 2 1 x 64);
    SM90_16x8x4_C64C64C64C64_TN (C64: C64, C64; Rounded; complex SM90_16x8x4_F64F64F64F64_TN);
}
[
    16 x 8 x 8, 32:1,
    A ((4, 8), (2, 2)):((16, 1), (8, 64)), B ((4, 8), 2):((8, 1), 32),
    C ((4, 8), (2, 2)):((32, 1), (16, 8))
] {
    SM90_16x8x8_F64F64F64F64_TN (f64: f64, f64; Rounded; "m16n8k8.row.col.f64.f64.f64.f64" 4 4 2 x 64);
    SM90_16x8x8_C64C64C64C64_TN (C64: C64, C64; Rounded; complex SM90_16x8x8_F64F64F64F64_TN);
}
[
    16 x 8 x 16, 32:1,
    A ((4, 8), (2, 4)):((16, 1), (8, 64)), B ((4, 8), 4):((8, 1), 32),
    C ((4, 8), (2, 2)):((32, 1), (16, 8))
] {
    SM90_16x8x16_F64F64F64F64_TN (f64: f64, f64; Rounded; "m16n8k16.row.col.f64.f64.f64.f64" 4 8 4 x 64);
    SM90_16x8x16_C64C64C64C64_TN (C64: C64, C64; Rounded; complex SM90_16x8x16_F64F64F64F64_TN);
}
}
