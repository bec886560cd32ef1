//! Hopper's own instructions: products of a warpgroup out of shared memory (`wgmma`), copies of
//! whole tiles (TMA), and the barriers that both wait at.
//!
//! ```text
//! Form            what a descriptor says of an operand, read off its layout when the program is compiled
//! SM90_64xNxK_*   the atoms; `gemm` issues them for partitions of shared memory, `gemm_registers` for a fragment of A
//! TensorMap       a tensor and a box of it: what a TMA copy is told, checked against the driver's rules
//! Ring            stages that a producer fills and consumers empty; a stage cannot be forgotten, or waited for twice
//! gemm_stages     the main loop over a ring
//! TileProduct     what a tile of a kernel multiplies; EpilogueOp, what becomes of its accumulators
//! TileConfig      how a result is cut into tiles
//! Epilogue        accumulators on their way out, through shared memory
//! SoftmaxRows     the softmax of rows of scores that come a tile at a time
//! HeadTiles       the order in which attention goes through the tiles of its heads
//! StreamK            tiles for clusters that stay, the last ones cut along K; StreamKWorkspace, by which these are added up
//! TilesInGroups   the order in which blocks that stay go through the tiles of a result
//! ```

mod barrier;
mod descriptor;
mod place;
mod ring;
mod tma;
#[macro_use]
mod wgmma;
mod wgmma_registers;

mod epilogue;
mod half;
mod heads;
mod main_loop;
mod nibbles;
mod product;
mod rows;
mod stream_k;
mod tile_config;
mod tiles;

#[cfg(feature = "launch")]
mod encode;

pub use barrier::{Empty, Full, Mbarrier, Mbarriers, Ring, RingConsumer, RingProducer};
pub use descriptor::{Described, Form, Major, NoDescriptor, SwizzleMode};
#[cfg(feature = "launch")]
pub use encode::{LentMap, LentMemory, MapElement, MapError};
pub use epilogue::{Epilogue, Part, PartSlice, PartTile, PartValues};
pub use half::Half;
pub use heads::{HeadTile, HeadTiles};
pub use main_loop::{gemm_registers_stage, gemm_stage, gemm_stages, gemm_tile};
pub use nibbles::Nibbles;
pub use place::{
    Cluster, Narrow, cluster_sync, elect_one, fence_async, named_barrier_sync, setmaxnreg_dec,
    setmaxnreg_inc,
};
pub use product::{Accumulators, EpilogueOp, Scaled, TileC, TileProduct};
pub use ring::{Barriers, Consumer, Filled, Producer, Reserved};
pub use rows::{ColumnOf, RowOf, SoftmaxRows, mask_columns, row_of_value, scale_rows};
pub use stream_k::{StreamK, StreamKWorkspace, WorkTile};
pub use tile_config::TileConfig;
pub use tiles::TilesInGroups;
pub use tma::{
    BoxAt, Coordinates, DomainOffset, Map, MapBox, MapMut, TensorMap, domain_offset, load_bulk,
    load_word_pair, tma_store_wait, tma_store_wait_all,
};
pub use wgmma::*;
pub use wgmma_registers::*;

/// What is asked for is beyond a tensor: the layouts exclude it.
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
