//! Hopper's own instructions: `wgmma`, TMA and `mbarrier`. Their parameters are read off the
//! layouts of their operands.

mod barrier;
mod descriptor;
mod place;
mod tma;
#[macro_use]
mod wgmma;
mod wgmma_registers;

mod half;
mod nibbles;

#[cfg(feature = "launch")]
mod encode;

pub use barrier::{Empty, Full, Mbarrier, Mbarriers, Ring, RingConsumer, RingProducer};
pub use descriptor::{Form, HasDescriptor, Major, NoDescriptor, SwizzleMode};
#[cfg(feature = "launch")]
pub use encode::{LentMap, LentMemory, MapElement, MapError};
pub use half::Half;
pub use nibbles::Nibbles;
pub use place::{
    Cluster, cluster_sync, elect_one, fence_async, named_barrier_sync, setmaxnreg_dec,
    setmaxnreg_inc,
};
pub use tma::{
    BoxAt, Coordinates, DomainOffset, Map, MapBox, MapMut, TensorMap, domain_offset, load_bulk,
    load_word_pair, tma_store_wait, tma_store_wait_all,
};
pub use wgmma::*;
pub use wgmma_registers::*;
