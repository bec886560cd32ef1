//! Tensors: elements under a layout, cut into tiles and dealt out to threads, without one line of
//! index arithmetic.
//!
//! ```text
//! tensor[c] = storage[layout(c)]
//! ```
//!
//! | here | CuTe | gives |
//! |---|---|---|
//! | [`Tensor::new`], [`Tensor::fixed`], [`Tensor::from_raw`] | `make_tensor(pointer, layout)` | a tensor on memory |
//! | [`Tensor::from_shared`], [`Tensor::from_global`], [`space`] | `make_smem_ptr`, .. | one that says where |
//! | [`Fragment::zeroed`], [`Tensor::fragment_like`] | `make_tensor<T>(layout)`, .. | a tensor that owns its elements |
//! | [`Tensor::value`], [`Tensor::address`], [`Tensor::vector`] | `t(i)`, `&t(i)`, `recast` | what an atom takes |
//! | `t[c]`, [`Tensor::get`], [`Tensor::slice`] | `t(c)`, `t(i, _)` | an element, a view |
//! | [`Tensor::as_slice`], [`Tensor::as_mut_slice`] | none | the elements as a slice, where they lie side by side |
//! | [`Tensor::compose`], [`Tensor::zipped_divide`], .. | `composition`, .. | the same elements under another layout |
//! | [`Tensor::local_tile`], [`Tensor::local_tile_by`] | `local_tile`, with `Step<_1, X, _1>` | the tile of a block |
//! | [`Tensor::local_partition`], [`Tensor::outer_partition`] | `local_partition`, `outer_partition` | a share |
//! | [`Tensor::partition_tv`] | `TiledCopy::partition_S`, `partition_D` | the values of a thread in all tiles |
//! | [`Tensor::coordinates`], [`Tensor::predicates`], .. | `make_identity_tensor`, `elem_less` | where elements lie |
//! | [`Tensor::ragged_tile`], [`Tensor::ragged`] | `local_tile` with `copy_if` | a residue tile, over the edge |
//! | [`make_layout_tv`] | `make_layout_tv` | which element is which thread's which value |
//! | [`Tensor::tiles`], [`Tensor::ragged_tiles`] | none | all tiles as views; residue tiles at the edges are smaller |
//! | [`Tensor::tiles_mut`], [`Tensor::partitions_mut`] | none | all tiles, all shares, as disjoint mutable views |
//! | [`Tensor::table`], `{}` | `print_tensor` | the elements in rows and columns |
//! | `Tensor::recast` (feature `bytemuck`) | `recast<U>(tensor)` | the same memory as elements of another size |
//! | [`Tensor::prefetch`] | `prefetch` | an element on its way to the caches |
//!
//! The layout is static, mixed, or a `DynLayout`, plain or under a swizzle: the methods are the
//! same.
//!
//! Safe code checks the coordinate and nothing else; in loops over the tensor's own extents the
//! compiler removes the check. A method that does not check is `unsafe`, and its name ends in
//! `_unchecked`: those of tensors are in `unchecked`, all other unsafe code of the chapter is in
//! `storage`.
//!
//! Offsets are `usize`. On a GPU, sizes and numbers of threads that come as `u32` and are widened
//! (`n as usize`) keep the products of an offset 32 bits wide: the assembler knows their upper
//! halves to be 0. Pointers are 64 bits wide there in any case. (`layout-nvidia` reads the machine
//! code of its kernels.)

// The modules stand in the order in which rustdoc shows the methods of a tensor.

// What has to hold before memory is touched.
mod bounds;
mod order;

// Where elements lie: as types.
pub mod space;

// How a tensor is made, read, written, viewed and handed out in parts: this is where unsafe code
// stands.
mod storage;

mod cosize;
mod like;
mod rank;

// Tiles and shares.
mod project;
mod threads;

mod partition;
mod tiled;
mod tv;

mod deal;
#[cfg(feature = "alloc")]
mod dynamic;

// Algorithms on whole tensors.
mod whole;

mod algorithm;
mod vector;

// The algebra of layouts, on tensors.
mod algebra;

// Memory seen as other elements.
#[cfg(feature = "bytemuck")]
mod recast;

// Where elements lie in the whole.
mod coordinates;
mod predicates;
mod ragged;
mod refused;

// What tensors have in common with other values: they are equal or not, and print.
mod equal;
mod print;

#[cfg(feature = "rayon")]
mod parallel;

// The unchecked methods come last.
mod unchecked;

pub use storage::{
    Addressable, Columns, Contiguous, CoordinateIn, Corner, Deals, Elements, ElementsMut,
    Exclusive, Fragment, IntoMemory, Numbering, Parts, PartsMemory, PartsOf, RaggedDivide,
    RaggedTiles, RaggedTilesMut, Rows, SameShape, SliceIn, SplitMode, SplitOf, Storage, StorageMut,
    StorageOf, Tensor, Tile, TileMut, Tiles, Viewed, WindowIn,
};
#[doc(hidden)]
pub use storage::{CopiedFragment, Watch, assert_whole_vectors, watch_kernels};
pub(crate) use storage::{is_of_a_gpu, tell_slice, watch};

pub use algorithm::{Gemm, elem_less};
pub use coordinates::{CoordinateTensor, CutCoordinates, CutOf};
pub use cosize::{CosizeOf, StaticCosize};
pub use deal::{Dealt, ThreadValue};
pub(crate) use deal::{HasTile, within_tile};
pub use like::CompactLike;
pub use partition::{Inner, Outer, Partition, PartitionOf};
pub(crate) use partition::{KeepAll, no_division, or_stop};
pub use predicates::{Predicates, Within};
pub use print::ElementTable;
pub use project::{IsStep, Project};
pub use ragged::{Ragged, RaggedTile};
pub(crate) use rank::{AllRanks, Ranked, RankedLayout, Ranks, RanksOfThree, RejectedRank};
#[doc(hidden)]
pub use refused::{RejectedCoordinates, RejectedTile};
pub use threads::Threads;
pub use tiled::{IsTiler, Tiled};
pub use tv::{MakeLayoutTv, make_layout, make_layout_tv};
pub use whole::Pairs;

#[cfg(feature = "rayon")]
pub use parallel::ParallelParts;
#[cfg(feature = "bytemuck")]
pub use recast::{ByteSize, RecastFrom, RecastOf};
