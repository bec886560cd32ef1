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
//! `_unchecked`: those of tensors are in `unchecked`. Other unsafe code of the chapter is in
//! `memory`, in `parts` and in `whole/iter_mut`.
//!
//! Offsets are `usize`. On a GPU, sizes and numbers of threads that come as `u32` and are widened
//! (`n as usize`) keep the products of an offset 32 bits wide: the assembler knows their upper
//! halves to be 0. Pointers are 64 bits wide there in any case. (`layout-nvidia` reads the machine
//! code of its kernels.)

// The modules stand in the order in which rustdoc shows the methods of a tensor.

// What has to hold before memory is touched.
mod bounds;

// Where elements lie: as types.
pub mod space;

// Elements under a layout: how a tensor is made, read, written, viewed and copied.
mod memory;

// Tiles and shares.
mod parts;

// Where elements lie in the whole.
mod places;

// All elements at once.
mod whole;

// The unchecked methods come last.
mod unchecked;

pub use memory::like::CompactLike;
pub use memory::{
    Addressable, Contiguous, CoordinateIn, Corner, CosizeOf, Elements, Fragment, IntoMemory,
    SameShape, SliceIn, StaticCosize, Storage, StorageMut, StorageOf, Tensor, Tile, TileMut,
    WindowIn,
};
#[doc(hidden)]
pub use memory::{CopiedFragment, Watch, assert_whole_vectors, watch_kernels};
pub(crate) use memory::{is_of_a_gpu, tell_slice, watch};

pub use parts::deal::{Dealt, ThreadValue};
pub(crate) use parts::deal::{HasTile, within_tile};
pub use parts::disjoint::{Deals, RaggedTiles, RaggedTilesMut, Tiles};
pub use parts::grid::{RaggedDivide, SplitMode, SplitOf};
pub use parts::numbered::{
    Columns, Exclusive, Numbering, Parts, PartsMemory, PartsOf, Rows, Viewed,
};
#[cfg(feature = "rayon")]
pub use parts::parallel::ParallelParts;
pub use parts::partition::{Inner, Outer, Partition, PartitionOf};
pub(crate) use parts::partition::{KeepAll, no_division, or_stop};
pub use parts::project::{IsStep, Project};
pub use parts::threads::Threads;
pub use parts::tiled::{IsTiler, Tiled};
pub use parts::tv::{MakeLayoutTv, make_layout, make_layout_tv};

pub use places::coordinates::{CoordinateTensor, CutCoordinates, CutOf};
pub use places::predicates::{Predicates, Within};
pub use places::ragged::{Ragged, RaggedTile};
#[doc(hidden)]
pub use places::refused::{RejectedCoordinates, RejectedTile};

pub use whole::algorithm::{Gemm, elem_less};
pub use whole::each::Pairs;
pub use whole::iter_mut::ElementsMut;
pub use whole::print::ElementTable;
pub(crate) use whole::rank::{AllRanks, Ranked, RankedLayout, Ranks, RanksOfThree, RejectedRank};
#[cfg(feature = "bytemuck")]
pub use whole::recast::{ByteSize, RecastFrom, RecastOf};
