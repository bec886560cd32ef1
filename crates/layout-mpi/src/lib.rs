#![doc = include_str!("../README.md")]
//!
//! ## The files, in reading order
//!
//! `error`; `groups`, communicators; `datatype` and `committed`; `raw`, messages; `element`, tags
//! of element types; `checked`, messages with these tags; `copy`; `kept`, handles that MPI frees;
//! `agree`, which makes an error on one rank an error on all; `shared`, memory of a node; `tensor`;
//! `redistribution`; `halo`. Distributions and plans are in `layout-mesh`. Unsafe code is in
//! `committed`, `raw` and `shared`.
#![deny(missing_docs, unsafe_code, unsafe_op_in_unsafe_fn, rust_2018_idioms)]
#![warn(clippy::undocumented_unsafe_blocks)]

mod error;
mod groups;
mod kept;

// Messages.
mod checked;
mod committed;
mod datatype;
mod element;
mod raw;

// Elements and their redistribution.
mod agree;
mod copy;
mod halo;
mod redistribution;
mod shared;
mod tensor;

pub use bytemuck::{AnyBitPattern, Pod};

pub use agree::{abort_on_error, abort_on_panic, on_all_ranks};
pub use checked::{ReceiveChecked, SendChecked};
pub use committed::LayoutDatatype;
pub use datatype::{Sendable, datatype_of, datatype_of_every};
pub use error::Error;
pub use groups::MeshCommunicators;
pub use halo::{Bordered, Halo};
pub use layout_mesh::Error as MeshError;
pub use layout_mesh::{
    BlockCyclic, BoxCopy, Distribution, HaloPlan, Mesh, MeshMode, MeshModes, Placement, Placements,
    Plan, Replicate, Shard, StridedShard, Transfer,
};
pub use raw::{Message, MessageMut, Messages};
pub use redistribution::Redistribution;
pub use tensor::{DistributedTensor, Element};
