//! Atoms: what one instruction copies or multiplies, and how many of them, side by side and one
//! after
//! the other, do it for a tile.
//!
//! ```text
//! atom        (thread, value) -> element of the atom's tile
//!         what the hardware says, or one thread with one value
//! tiled atom  (thread, value) -> element of a larger tile
//!         atoms laid out over threads, repeated over values
//! partition   the values of one thread: (V, rest of mode 0, rest of mode 1, ..)
//! ```
//!
//! | here | CuTe | gives |
//! |---|---|---|
//! | [`CopyAtom`], [`UniversalCopy`] | `Copy_Atom`, `UniversalCopy` | one copy instruction |
//! | [`make_tiled_copy`], [`TiledCopy`] | `make_tiled_copy`, `TiledCopy` | copies by many threads |
//! | [`ThrCopy::partition_s`], [`ThrCopy::partition_d`] | `partition_S`, `partition_D` | what a thread copies |
//! | [`MmaAtom`], [`UniversalFma`] | `MMA_Atom`, `UniversalFMA` | one multiply-add instruction |
//! | [`make_tiled_mma`], [`TiledMma`] | `make_tiled_mma`, `TiledMMA` | products by many threads |
//! | [`ThrMma::partition_a`], [`ThrMma::partition_fragment_a`] | `partition_A`, `partition_fragment_A` | its factors |
//! | [`ThrCopy::retile_s`], [`ThrCopy::retile_d`] | `retile_S`, `retile_D` | a fragment in the order of a copy |
//! | [`make_tiled_copy_c`], .. | `make_tiled_copy_C`, .. | a copy dealt out as a product deals its operand |
//! | [`ThreadSlice::coordinates`] | `partition_S`, `partition_C` of an identity tensor | where a thread's elements lie |
//! | [`gemm_in_order`], [`order`] | serpentine orders in `gemm` | the order of the products at one `k` |
//! | [`copy_if`], [`copy_predicated`] | `copy_if` | copies of what predicates select |
//! | [`copy`](fn@copy), [`gemm`](fn@gemm) | `copy`, `gemm` | the loops over atoms, unrolled |
//!
//! An atom is a trait, so that an instruction is one impl. Everything static is computed in types;
//! the loops unroll by recursion over types, so that on a GPU fragments stay in registers.

// One instruction.
mod agree;
mod bijective;
mod mma;

mod copy;

// Many of them over threads, and one thread's part.
mod tiled_mma;

pub mod order;

mod gemm;
mod make_mma;
mod thr_mma;
mod tiled_copy;
mod transform;

// Their unchecked methods.
mod unchecked;

// Copies that fit a product.
mod operand_copy;
mod retile;

pub use copy::{
    AsCopyAtom, CopyAtom, UniversalCopy, copy, copy_edges_if, copy_if, copy_predicated,
};
pub use gemm::{GemmFragments, gemm, gemm_in_order};
pub use make_mma::{MakeTiledMma, TiledMmaOf, make_tiled_mma};
pub use mma::{MmaAtom, TvLayout, UniversalFma, Values};
pub use operand_copy::{LayoutTv, make_tiled_copy_a, make_tiled_copy_b, make_tiled_copy_c};
pub use retile::{HoldsSlice, Retile, Retiled, ThreadSlice};
pub use thr_mma::{FragmentLike, FragmentOf, ThrMma};
#[cfg(feature = "alloc")]
pub use tiled_copy::SourceAndDestination;
pub use tiled_copy::{
    DestinationTv, MakeTiledCopy, PartitionedBy, SourceTv, ThrCopy, TiledCopy, TiledCopyOf,
    TiledTv, make_tiled_copy,
};
pub use tiled_mma::{At, Operand, Permutation, TileMode, TiledMma, TiledOperands};
pub use transform::{StaticSize, ZipOperand, transform};
