#![doc = include_str!("../README.md")]
//!
//! ## The files, in reading order
//!
//! `error` what can go wrong; `mesh_modes` and `mesh`, and `submesh`, the meshes made of one;
//! `placement`, what is asked for, `placed`, what becomes of it, and `distribution`; `pieces`, the
//! composition mode by mode; `plan`; `elements`, plans through reshapes and of slices; `halo`, what
//! is exchanged around shards.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod error;

// Which rank, and what it owns.
mod distribution;
mod mesh;
mod mesh_modes;
mod placed;
mod placement;
mod submesh;

// What goes where.
mod boxes;
mod elements;
mod halo;
mod pieces;
mod plan;

pub use boxes::BoxCopy;
pub use distribution::Distribution;
pub use error::Error;
pub use halo::HaloPlan;
pub use mesh::Mesh;
pub use mesh_modes::{MeshMode, MeshModes};
pub use placement::{BlockCyclic, Placement, Placements, Replicate, Shard, StridedShard};
pub use plan::{Plan, Transfer};
