//! How a result is cut into tiles, and which cluster computes which tile when.

mod heads;
mod stream_k;
mod tile_config;

pub use heads::{HeadTile, HeadTiles};
pub use stream_k::{StreamK, StreamKWorkspace, WorkTile};
pub use tile_config::TileConfig;
