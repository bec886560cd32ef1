//! Features of an H100 and an H200: products of a warpgroup from shared memory (`wgmma`), copies of
//! whole tiles (TMA), and their barriers.
//!
//! `instructions/`: the instructions, whose parameters are read off the layouts of their operands
//!
//! ```text
//! Form            what a descriptor says of an operand, read off its layout when the program is compiled
//! SM90_64xNxK_*   the atoms; `gemm` issues them for partitions of shared memory, `gemm_registers` for a fragment of A
//! TensorMap       a tensor and a box of it: the numbers of a TMA copy, checked against the driver's rules
//! ```
//!
//! `pipeline/`: from the first stage of a tile to its result
//!
//! ```text
//! Ring            stages that a producer fills and consumers empty; a stage cannot be forgotten, or waited for twice
//! gemm_stages     the main loop over a ring
//! TileProduct     what a tile of a kernel multiplies; EpilogueOp, what becomes of its accumulators
//! Epilogue        accumulators on their way out, through shared memory
//! SoftmaxRows     the softmax of rows of scores that come a tile at a time
//! ```
//! `schedule/`: how a result is divided into tiles, and the order in which clusters compute them
//!
//! ```text
//! TileConfig      how a result is cut into tiles
//! HeadTiles       the order in which attention goes through the tiles of its heads
//! StreamK         tiles for clusters that stay, the last ones cut along K
//! ```

mod instructions;
mod pipeline;
mod schedule;

pub use instructions::*;
pub use pipeline::*;
pub use schedule::*;

/// Ends the program at a coordinate outside a tensor, which the layouts exclude.
#[inline(always)]
pub(crate) fn out_of_bounds() -> ! {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: ends the program.
    unsafe {
        core::arch::nvptx::trap()
    }
    #[cfg(not(target_arch = "nvptx64"))]
    panic!("an operand lies beyond its tensor")
}
