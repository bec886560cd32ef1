//! Intel's AMX: products of tiles, registers of 16 rows of 64 bytes each, of one thread.
//!
//! They are layouts: value `v` of an operand is element `v` of its tile, row by row. B is stored
//! with groups of two halves or four bytes along K contiguous, as its layout says.
//!
//! ```
//! use layout_algebra::prelude::*;
//! use layout_instructions::Instruction;
//! use layout_instructions::intel::TDPBF16PS;
//! // The first values of B: k = 0 and 1 of column 0, then of column 1.
//! let b = <TDPBF16PS as Instruction>::BLayout::default();
//! assert_eq!([0, 1, 2, 3].map(|v| b.index((0, v))), [0, 16, 1, 17]); // n + 16 k
//! ```

use half::{bf16, f16};

shapes! { "t"
[16 x 16 x 32, 1:0, A (1, (32, 16)):(0, (16, 1)), B (1, (2, 16, 16)):(0, (16, 1, 32)),
    C (1, (16, 16)):(0, (16, 1))] {
    TDPBF16PS (f32: bf16, bf16; Rounded; "dpbf16ps");
    TDPFP16PS (f32: f16, f16; Rounded; "dpfp16ps");
}
[16 x 16 x 64, 1:0, A (1, (64, 16)):(0, (16, 1)), B (1, (4, 16, 16)):(0, (16, 1, 64)),
    C (1, (16, 16)):(0, (16, 1))] {
    TDPBSSD (i32: i8, i8; Wrapped; "dpbssd");
    TDPBSUD (i32: i8, u8; Wrapped; "dpbsud");
    TDPBUSD (i32: u8, i8; Wrapped; "dpbusd");
    TDPBUUD (i32: u8, u8; Wrapped; "dpbuud");
}
}
