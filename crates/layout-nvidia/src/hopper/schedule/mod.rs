//! How a result is divided into tiles, and the order in which clusters compute them.

mod heads;
mod stream_k;
mod tile_config;

pub use heads::{HeadTile, HeadTiles};
pub use stream_k::{StreamK, StreamKWorkspace, WorkTile};
pub use tile_config::TileConfig;
