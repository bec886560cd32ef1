#![doc = include_str!("../README.md")]
//!
//! ## The files, in reading order
//!
//! `error`; `mesh_modes`, `mesh`, and `submesh`, slices and groups of a mesh; `placement`, the
//! placement of a mode as the program gives it, `placed`, that placement for an extent and a mesh,
//! and `distribution`; `pieces`, the composition mode by mode; `plan`; `elements`, plans of
//! reshapes and slices; `halo`, halo exchanges.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod error;

// Meshes and distributions.
mod distribution;
mod mesh;
mod mesh_modes;
mod placed;
mod placement;
mod submesh;

// Plans.
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
