#![doc = include_str!("../README.md")]
//!
//! ## The files, in reading order
//!
//! `error` what can go wrong; `groups`, communicators; `datatype` and `committed`; `raw`, messages;
//! `element`, types by number; `checked`, messages that carry them; `copy`; `kept`, what MPI frees;
//! `agree`, how an error on one rank becomes one on all; `shared`, memory of a node; `tensor`;
//! `redistribution`; `halo`. Which rank has what, and what goes where, is in `layout-mesh`. Unsafe
//! code is in `committed`, `raw` and `shared`.
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

// Elements, and how they get there.
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
