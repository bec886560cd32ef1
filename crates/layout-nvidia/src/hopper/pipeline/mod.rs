//! From the first stage of a tile to its result: the ring, the main loop, and the epilogue.

mod epilogue;
mod main_loop;
mod product;
mod ring;
mod rows;

pub use epilogue::{Epilogue, Part, PartSlice, PartTile, PartValues};
pub use main_loop::{gemm_registers_stage, gemm_stage, gemm_stages, gemm_tile};
pub use product::{Accumulators, EpilogueOp, Scaled, TileC, TileProduct};
pub use ring::{Barriers, Consumer, Filled, Producer, Reserved};
pub use rows::{ColumnOf, RowOf, SoftmaxRows, mask_columns, row_of_value, scale_rows};
