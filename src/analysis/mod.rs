//! The quality of a layout, known at compile time: const functions over static layouts, and the
//! same at run time.
//!
//! Each function is exact under a model, and the models are these.
//!
//! **Layouts as functions.** [`footprint`], [`aliasing`], [`gaps`], [`is_injective`],
//! [`is_surjective`],
//! [`is_bijective`], [`is_compact`] count offsets. No model.
//!
//! **Shared memory** ([`bank_conflicts`], [`bank_conflict_count`], [`WarpAccess::bank_conflicts`]).
//! 32 banks of 4 bytes, word `w` in bank `w % 32`; both numbers are parameters. A warp's access of
//! up to 32 bits for each thread is one phase; of 64 bits, a phase for each half of the warp; of
//! 128 bits, one for each quarter; an `ldmatrix` or `stmatrix` has one phase for each 8x8 matrix,
//! whose 8 rows of 16 bytes 8 threads address. Two phases of a *load* of 64 or 128 bits are one
//! phase if every thread in both has the address of its neighbour `t ^ 1`, or every thread that of
//! `t ^ 2`; of a store they stay two (where threads share an address, which is a race: the count is
//! that of a load). A phase takes as many passes (NVIDIA's *wavefronts*) as the worst bank has
//! different words to give; threads with the same word share it. Conflicts are passes beyond one
//! for each phase. Sources: NVIDIA's *CUDA C++ Programming Guide*, "Shared Memory" of compute
//! capability 5.x and later (32 banks, 32 bits wide, a word is broadcast); its *Nsight Compute*
//! guide (a wavefront is what is processed in one pass); the *PTX ISA*, `ldmatrix` (threads 0 to 7
//! address the rows of the first matrix, and so on). The guides do not say how accesses of 64 and
//! 128 bits are split into phases; that was measured. `tests/analysis/hardware/` holds 430
//! accesses, 400 of them random, with the counters of an H200 for each: in all 430, passes and
//! conflicts, sectors and lines are those of the model.
//!
//! **Linear layouts over F2** ([`best_shared_layout`], [`fewest_shuffles`]). The best of all linear
//! layouts, computed by elimination under the model of shared memory above; a shuffle moves one
//! register of 32 bits to each lane of a warp. What is least, and why, stands at the top of
//! `shared/pair.rs` and `shuffles.rs`.
//!
//! **Global memory** ([`coalescing`], [`WarpAccess::coalescing`]). A warp's access moves whole
//! sectors of 32 bytes, of which four are a cache line of 128; the array begins at a line. Source:
//! the *CUDA C++ Best Practices Guide*, "Coalesced Access to Global Memory".
//!
//! **Vectors** ([`vector_width`]). A load of `2^k` elements takes neighbours that begin at a
//! multiple of its own size. Source: the *CUDA C++ Programming Guide*, "Size and Alignment
//! Requirement" of device memory accesses.
//!
//! A thread-value layout takes (thread, value) to the number of a coordinate of the memory's
//! layout: mode 0 counts threads, all other modes values. Threads are in warps of 32.
//!
//! ```
//! use layout_algebra::analysis::*;
//! use layout_algebra::prelude::*;
//! // A tile of 32 rows of 32 floats, and a warp that reads one column.
//! type Rows = Layout!((32, 32):(32, 1));
//! type Column = SharedAccess<Layout!((32, 1):(1, 0)), 32, 32>;
//! const _: () = assert!(bank_conflict_count::<Rows, Column>() == 31);
//! // Swizzled, it is free of conflicts, or this would not compile.
//! type Swizzled = ComposedLayout<Swizzle<5, 0, 5>, Int<0>, Rows>;
//! const _: () = assert!(bank_conflicts::<Swizzled, Column>() == 0);
//! ```

// What is counted: offsets, and how threads go to memory.
mod footprint;
mod offsets;

mod access;

// What that costs in shared memory and in global memory.
mod banks;
mod global;
mod side;

// The best swizzle, by a search.
mod search;

mod best;

// The best linear layout, with a proof.
mod shared;

// Without memory: from register to register.
mod shuffles;

pub use access::{Access, Ldmatrix, SharedAccess, WarpAccess, vector_width};
#[cfg(feature = "alloc")]
pub use banks::AccessPhase;
pub use banks::{BankConflict, BankConflicts, bank_conflict_count, bank_conflicts};
pub use best::{BestSwizzle, best_swizzle};
pub use footprint::{
    aliasing, footprint, gaps, is_bijective, is_compact, is_injective, is_surjective,
};
pub use global::{Coalescing, coalescing};
pub use shared::{BestSharedLayout, best_shared_layout};
pub use shuffles::{Shuffles, fewest_shuffles};

/// `sum + count * times`
///
/// # Panics
/// If it is beyond `usize`.
#[track_caller]
const fn total(sum: usize, count: usize, times: usize) -> usize {
    let total = sum as u128 + count as u128 * times as u128;
    if total > usize::MAX as u128 {
        panic!("overflow: a count of accesses, sectors or passes is beyond usize");
    }
    total as usize
}
