//! AMD's matrix instructions of CDNA, `v_mfma`, of a wave of 64 lanes: those that multiply one pair
//! of matrices.
//!
//! They are layouts, for planning tiled MMAs and for computing them on the CPU. A lane has elements
//! contiguous along K of one row of A and of B; of C it has runs of four rows of one column, or
//! with floats of 64 bits every fourth row.
//!
//! ```
//! use layout_algebra::analysis;
//! use layout_instructions::Instruction;
//! use layout_instructions::amd::V_MFMA_F32_32X32X8_F16 as Mfma;
//! assert_eq!((Mfma::M, Mfma::N, Mfma::K), (32, 32, 8));
//! assert!(analysis::is_bijective::<<Mfma as Instruction>::CLayout>());
//! ```

use half::{bf16, f16};

use crate::element::Tf32;

shapes! { "v_mfma_"
[32 x 32 x 2, 64:1, A (64, 1):(1, 0), B (64, 1):(1, 0), C ((32, 2), (4, 4)):((32, 4), (1, 8))] {
    V_MFMA_F32_32X32X2_F32 (f32: f32, f32; Rounded; "f32_32x32x2_f32");
}
[16 x 16 x 4, 64:1, A (64, 1):(1, 0), B (64, 1):(1, 0), C ((16, 4), 4):((16, 4), 1)] {
    V_MFMA_F32_16X16X4_F32 (f32: f32, f32; Rounded; "f32_16x16x4_f32");
}
[32 x 32 x 8, 64:1, A ((32, 2), 4):((1, 128), 32), B ((32, 2), 4):((1, 128), 32),
    C ((32, 2), (4, 4)):((32, 4), (1, 8))] {
    V_MFMA_F32_32X32X8_F16 (f32: f16, f16; Rounded; "f32_32x32x8_f16");
}
[16 x 16 x 16, 64:1, A ((16, 4), 4):((1, 64), 16), B ((16, 4), 4):((1, 64), 16),
    C ((16, 4), 4):((16, 4), 1)] {
    V_MFMA_F32_16X16X16_F16 (f32: f16, f16; Rounded; "f32_16x16x16_f16");
}
[32 x 32 x 4, 64:1, A ((32, 2), 2):((1, 64), 32), B ((32, 2), 2):((1, 64), 32),
    C ((32, 2), (4, 4)):((32, 4), (1, 8))] {
    V_MFMA_F32_32X32X4_BF16 (f32: bf16, bf16; Rounded; "f32_32x32x4_bf16");
}
[16 x 16 x 8, 64:1, A ((16, 4), 2):((1, 32), 16), B ((16, 4), 2):((1, 32), 16),
    C ((16, 4), 4):((16, 4), 1)] {
    V_MFMA_F32_16X16X8_BF16 (f32: bf16, bf16; Rounded; "f32_16x16x8_bf16");
}
[32 x 32 x 8, 64:1, A ((32, 2), 4):((1, 128), 32), B ((32, 2), 4):((1, 128), 32),
    C ((32, 2), (4, 4)):((32, 4), (1, 8))] {
    V_MFMA_F32_32X32X8_BF16_1K (f32: bf16, bf16; Rounded; "f32_32x32x8_bf16_1k");
}
[16 x 16 x 16, 64:1, A ((16, 4), 4):((1, 64), 16), B ((16, 4), 4):((1, 64), 16),
    C ((16, 4), 4):((16, 4), 1)] {
    V_MFMA_F32_16X16X16_BF16_1K (f32: bf16, bf16; Rounded; "f32_16x16x16_bf16_1k");
}
[32 x 32 x 4, 64:1, A ((32, 2), 2):((1, 64), 32), B ((32, 2), 2):((1, 64), 32),
    C ((32, 2), (4, 4)):((32, 4), (1, 8))] {
    V_MFMA_F32_32X32X4_XF32 (f32: Tf32, Tf32; Rounded; "f32_32x32x4_xf32");
}
[16 x 16 x 8, 64:1, A ((16, 4), 2):((1, 32), 16), B ((16, 4), 2):((1, 32), 16),
    C ((16, 4), 4):((16, 4), 1)] {
    V_MFMA_F32_16X16X8_XF32 (f32: Tf32, Tf32; Rounded; "f32_16x16x8_xf32");
}
[32 x 32 x 8, 64:1, A ((32, 2), 4):((1, 128), 32), B ((32, 2), 4):((1, 128), 32),
    C ((32, 2), (4, 4)):((32, 4), (1, 8))] {
    V_MFMA_I32_32X32X8_I8 (i32: i8, i8; Wrapped; "i32_32x32x8_i8");
}
[16 x 16 x 16, 64:1, A ((16, 4), 4):((1, 64), 16), B ((16, 4), 4):((1, 64), 16),
    C ((16, 4), 4):((16, 4), 1)] {
    V_MFMA_I32_16X16X16_I8 (i32: i8, i8; Wrapped; "i32_16x16x16_i8");
}
[32 x 32 x 16, 64:1, A ((32, 2), 8):((1, 256), 32), B ((32, 2), 8):((1, 256), 32),
    C ((32, 2), (4, 4)):((32, 4), (1, 8))] {
    V_MFMA_I32_32X32X16_I8 (i32: i8, i8; Wrapped; "i32_32x32x16_i8");
}
[16 x 16 x 32, 64:1, A ((16, 4), 8):((1, 128), 16), B ((16, 4), 8):((1, 128), 16),
    C ((16, 4), 4):((16, 4), 1)] {
    V_MFMA_I32_16X16X32_I8 (i32: i8, i8; Wrapped; "i32_16x16x32_i8");
}
[16 x 16 x 4, 64:1, A (64, 1):(1, 0), B (64, 1):(1, 0), C ((16, 4), 4):((16, 1), 4)] {
    V_MFMA_F64_16X16X4_F64 (f64: f64, f64; Rounded; "f64_16x16x4_f64");
}
}
