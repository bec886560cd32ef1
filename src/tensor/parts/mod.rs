//! Tiles and shares: a tensor is divided by a tiler, or dealt out by a layout of threads, and a part
//! is a view under the layout of a slice. Parts that are handed out to be written to share nothing.

pub(super) mod project;
pub(super) mod threads;

pub(super) mod partition;

pub(super) mod deal;
#[cfg(feature = "alloc")]
mod dynamic;
pub(super) mod tv;

pub(super) mod numbered;

pub(super) mod grid;

pub(super) mod disjoint;

pub(super) mod tiled;

#[cfg(feature = "rayon")]
pub(super) mod parallel;
