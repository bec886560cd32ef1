#![doc = include_str!("../README.md")]
//!
//! ## The files, in reading order
//!
//! `error` what can go wrong; `mesh_modes` and `mesh`, `submesh`, the meshes made of one, and `groups`, communicators;
//! `deal`, one mode of a tensor, and `distribution`; `pieces`, the composition mode by mode; `plan`; `datatype` and
//! `committed`; `raw`, messages; `element`, types by number; `checked`, messages that carry them; `copy`; `kept`, what
//! MPI frees; `agree`, how an error on one rank becomes one on all; `shared`, memory of a node; `tensor`;
//! `redistribution`. Unsafe code is in `committed`, `raw` and `shared`.
#![deny(missing_docs, unsafe_code, unsafe_op_in_unsafe_fn, rust_2018_idioms)]
#![warn(clippy::undocumented_unsafe_blocks)]

mod error;

// Which rank, and what it owns.
mod deal;
mod distribution;
mod groups;
mod mesh;
mod mesh_modes;
mod submesh;

// What goes where.
mod pieces;
mod plan;

// Messages.
mod checked;
mod committed;
mod datatype;
mod element;
mod raw;

// Elements, and how they get there.
mod agree;
mod copy;
mod kept;
mod redistribution;
mod shared;
mod tensor;

pub use bytemuck::{AnyBitPattern, Pod};

pub use agree::{abort_on_error, abort_on_panic, on_all_ranks};
pub use checked::{ReceiveChecked, SendChecked};
pub use committed::LayoutDatatype;
pub use datatype::{Sendable, datatype_of, datatype_of_every};
pub use deal::Deal;
pub use distribution::Distribution;
pub use error::Error;
pub use mesh::Mesh;
pub use mesh_modes::{MeshMode, MeshModes};
pub use plan::{BoxCopy, Plan, Transfer};
pub use raw::{Message, MessageMut, Messages};
pub use redistribution::Redistribution;
pub use tensor::{DistributedTensor, Element};
