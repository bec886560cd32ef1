//! `C = A B` of halves with sums in fp32, on Hopper's tensor cores: `wgmma` out of shared memory that TMA fills. A and
//! B have K first (BLAS: TN), C is row-major.
//!
//! ```text
//! cluster      2 blocks, one above the other: 256 x 256 of C, 128 x 256 each. Both need the same rows of B: each block
//!              fetches half of them, for both
//! block        3 warpgroups of 128 threads: one fetches, two multiply 64 x 256 each
//! stage        128 x 64 of A and 256 x 64 of B, four of them in a ring
//! result       64 x 64 at a time through shared memory, while the next tile is fetched
//! ```
//!
//! The blocks stay, and go through the tiles of C by themselves.

use layout_algebra::prelude::*;

/// The tile of C of a cluster.
pub type ClusterTile = Tiler!(256, 256);
/// What is fetched of an operand at once.
pub type Operand = Tiler!(128, 64);
/// What is stored of C at once.
pub type Part = Tiler!(64, 64);
/// The threads of a block.
pub type Threads = Layout!(384);
/// Rows of 128 bytes, whose units of 16 change places by the number of the row.
pub type Rows128 = Swizzle<3, 3, 3>;
/// The stages of A: rows, K, stages.
pub type StagesA = ComposedLayout<Rows128, Int<0>, Layout!((128, 64, 4):(64, 1, 8192))>;
/// The stages of B: rows in two halves, one from each block of the cluster.
pub type StagesB = ComposedLayout<Rows128, Int<0>, Layout!(((128, 2), 64, 4):((64, 8192), 1, 16384))>;
/// Parts of the result on their way out: two for each warpgroup that multiplies.
pub type StagesC = ComposedLayout<Rows128, Int<0>, Layout!((64, 64, (2, 2)):(64, 1, (4096, 8192)))>;
/// What is fetched at once.
pub type Box = ComposedLayout<Rows128, Int<0>, Layout!((128, 64):(64, 1))>;
/// What is stored at once.
pub type BoxC = ComposedLayout<Rows128, Int<0>, Layout!((64, 64):(64, 1))>;
/// The full and the empty side of the ring.
pub type Sides = Layout!((4, 2));
/// The warpgroups that multiply: one above the other.
pub type Warpgroups = Layout!((2, 1, 1));

/// The rows of tiles that are gone through together.
pub(crate) const EIGHT: core::num::NonZeroU32 = core::num::NonZeroU32::new(8).unwrap();

/// The sums of a tile: its products follow one another, each on its way while the next stage is waited for.
macro_rules! sums {
    ($atom:ident, $mma:ident $share:ident $a:ident $b:ident, $ring:ident, $depth:ident) => {{
        let whole = Tensor::from_global_ref(core::ptr::null::<f32>(), layout!((128, 256)));
        let mut sums = Going::start($share.partition_fragment_c(&whole));
        let mut before = $ring.wait();
        let i = before.number() as usize;
        let (a, b) = ($a.slice_unchecked((.., .., .., i)), $b.slice_unchecked((.., .., .., i)));
        sums.gemm(&$mma, &a, &b, false);
        let mut step = 1;
        while step < $depth {
            let stage = $ring.wait();
            let i = stage.number() as usize;
            let (a, b) = ($a.slice_unchecked((.., .., .., i)), $b.slice_unchecked((.., .., .., i)));
            sums.gemm(&$mma, &a, &b, true);
            sums.wait::<1, $atom>();
            before.release();
            before = stage;
            step += 1;
        }
        let sums = sums.finish::<$atom>();
        before.release();
        sums
    }};
}
/// The barriers of a ring, for a block of a cluster of two, both of which wait for each other; and the maps are made
/// known.
macro_rules! ring {
    ($sides:ident, $cluster:ident, $thread:ident; $($map:ident)*) => {{
        let Some(sides) = $sides.address(0) else { return };
        let (full, empty) = (Mbarriers::<4>::at(sides), Mbarriers::<4>::at(sides.add(4)));
        if $thread == 0 {
            full.init(1);
            // Two warpgroups of each block.
            empty.init(4);
            $($map.prepare();)*
        }
        hopper::cluster_sync($cluster);
        (full, empty)
    }};
}
/// 64 columns of a warpgroup's sums, scaled and rounded.
macro_rules! part {
    ($out:ident, $scale:expr, $sums:ident, $j:ident, $own:ident, $to:ident) => {{
        let mut out = $own.partition_c_unchecked_mut(&mut $to).fragment_like::<$out>();
        for_static!(I in 0..16, {
            let (first, second) = ($sums[32 * $j + 2 * I], $sums[32 * $j + 2 * I + 1]);
            let both = <$out>::pair($scale * first, $scale * second);
            out[2 * I] = both[0];
            out[2 * I + 1] = both[1];
        });
        out
    }};
}
/// Sends them on their way, through this part of shared memory, when that is free.
macro_rules! send {
    ($out:ident, $from:expr, $own:ident $to:ident => $c:ident, $there:expr; $warpgroup:ident $mine:ident) => {
        if hopper::is_first($mine) {
            hopper::stored::<1>();
        }
        hopper::group_sync::<128>(1 + $warpgroup as u32);
        let out = $from;
        let mut part = $own.partition_c_unchecked_mut(&mut $to);
        let _ = copy(&UniversalCopy::<$out, Int<2>>::new(), &out, &mut part);
        hopper::fence_async();
        hopper::group_sync::<128>(1 + $warpgroup as u32);
        if hopper::is_first($mine) {
            $c.store(&$there, &$to);
        }
    };
}
/// Kernels of this structure: the result is the product times the scales. The module says its layouts, how many columns
/// a stage has, and how the sums of a tile are made of the stages.
macro_rules! products {
    ($($name:ident [$($scale:ident)*] $shared:ident: $of_a:ident $of_b:ident => $out:ident, $step:literal,
        $sums:ident! $atom:ident;)*) => {$(
        /// What a block has in shared memory.
        pub type $shared = (
            SharedTile<$of_a, StagesA>, SharedTile<$of_b, StagesB>, SharedTile<$out, StagesC>,
            SharedTile<Mbarrier, Sides>,
        );
        kernel! {
            /// `rows` x `columns` tiles of 256 x 256 of C, `depth` stages along K, by `clusters` clusters.
            ///
            /// # Safety
            /// The maps are those of the matrices, and scales are there.
            pub fn $name(
                rows: u32, columns: u32, depth: u32, clusters: u32,
                a: *const TensorMap<$of_a, Box>, b: *const TensorMap<$of_b, Box>, c: *const TensorMap<$out, BoxC>,
                $($scale: *const f32,)*
            )
            threads: Threads, shared: $shared;
            {
                cluster_size!(2);
                // SAFETY: the caller's promises; a stage is written between `reserve` and `fill`, and read between
                // `wait` and `release`; the parts of C are each warpgroup's own, between its barriers.
                unsafe {
                    let (a, b, c) = (&*a, &*b, &*c);
                    let (mut sa, mut sb, mut sc, sides) = <$shared>::tensors();
                    let (cluster, thread) = (Cluster::<2>::here(), device::thread());
                    let (full, empty) = ring! { sides, cluster, thread; a b c };
                    let (warpgroup, rank) = (thread / 128, cluster.rank() as usize);
                    let mut tile = device::block().0 as u32 / 2;
                    let Some(group_size) = NonZeroU32::new(8 * columns) else { return };
                    // Tiles in groups of 8 rows, so that those that are computed at a time share their operands.
                    let place = |tile: u32| {
                        let group = tile / group_size;
                        let high = NonZeroU32::new(rows - 8 * group).unwrap_or(EIGHT).min(EIGHT);
                        let rest = tile % group_size;
                        let (column, row) = (rest / high, rest % high);
                        ((8 * group + row) as usize, column as usize)
                    };
                    // What is copied, as coordinates that are cut as the matrices would be.
                    let (Ok(m), Ok(n), Ok(k)) = (
                        Multiple::<Int<256>>::new(rows as usize * 256),
                        Multiple::<Int<256>>::new(columns as usize * 256),
                        Multiple::<Int<$step>>::new(depth as usize * $step),
                    ) else {
                        return;
                    };
                    if warpgroup == 2 {
                        hopper::less_registers::<40>();
                        if thread == 256 {
                            let mut ring = Producer::new(Full(full), Empty::new(empty, cluster, 0));
                            let of_a = Tensor::coordinates(identity((m, k)));
                            let of_b = Tensor::coordinates(identity((n, k)));
                            while tile < rows * columns {
                                let (row, column) = place(tile);
                                let mut step = 0;
                                while step < depth {
                                    let (Ok(from_a), Ok(from_b)) = (
                                        of_a.local_tile(Operand::default(), (2 * row + rank, step as usize)),
                                        of_b.local_tile(Operand::default(), (2 * column + rank, step as usize)),
                                    ) else {
                                        return;
                                    };
                                    let stage = ring.reserve();
                                    let i = stage.number() as usize;
                                    a.load(&from_a, &mut sa.slice_unchecked_mut((.., .., i)), &stage);
                                    b.load_to_all(
                                        cluster,
                                        &from_b,
                                        &mut sb.slice_unchecked_mut(((.., rank), .., i)),
                                        &stage,
                                    );
                                    stage.fill(<TensorMap<$of_a, Box>>::BYTES + 2 * <TensorMap<$of_b, Box>>::BYTES);
                                    step += 1;
                                }
                                tile += clusters;
                            }
                            ring.finish();
                        }
                    } else {
                        hopper::more_registers::<232>();
                        let mma = make_tiled_mma($atom, Warpgroups::default(), tiler!(_, _, _));
                        let part = make_tiled_mma(SM90_64x64x16_F32F16F16_SS, layout!((1, 1, 1)), tiler!(_, _, _));
                        let mine = thread % 128;
                        let (Some(share), Some(own)) = (mma.get_slice(thread), part.get_slice(mine)) else {
                            return;
                        };
                        let ta = share.partition_a_unchecked(&sa);
                        let tb = share.partition_b_unchecked(&sb);
                        let mut ring = Consumer::new(Full(full), Empty::new(empty, cluster, mine));
                        let of_c = Tensor::coordinates(identity((m, n)));
                        let scale = 1.0 $(* {
                            let mut one = Fragment::<f32, Layout!(1)>::zeroed();
                            let there = Tensor::from_global_ref($scale, layout!(1));
                            let _ = copy(&UniversalCopy::<f32>::new(), &there, &mut one);
                            one[0]
                        })*;
                        while tile < rows * columns {
                            let (row, column) = place(tile);
                            let sums = $sums! { $atom, mma share ta tb, ring, depth };
                            for_static!(J in 0..4, {
                                let mut to = sc.slice_unchecked_mut((.., .., (J % 2, warpgroup)));
                                let at = (4 * row + 2 * rank + warpgroup, 4 * column + J);
                                if let Ok(there) = of_c.local_tile(Part::default(), at) {
                                    send! { $out, part!($out, scale, sums, J, own, to), own to => c, there; warpgroup mine }
                                }
                            });
                            tile += clusters;
                        }
                        if mine == 0 {
                            hopper::stored_all();
                        }
                    }
                    // Nobody leaves while others may still write to it or arrive at its barriers.
                    hopper::cluster_sync(cluster);
                }
            }
        }
    )*};
}

#[cfg(feature = "hgemm_sm90")]
mod kernels {
    use super::*;
    use core::num::NonZeroU32;
    use half::{bf16, f16};
    use layout_algebra::atom::{UniversalCopy, copy, make_tiled_mma};
    use layout_algebra::for_static;
    use layout_nvidia::device::{self, SharedTile, SharedTiles};
    use layout_nvidia::hopper::{
        self, Cluster, Consumer, Empty, Full, Going, Mbarrier, Mbarriers, Narrow, Producer, SM90_64x64x16_F32F16F16_SS,
        SM90_64x256x16_F32BF16BF16_SS, SM90_64x256x16_F32F16F16_SS, TensorMap,
    };
    use layout_nvidia::{cluster_size, kernel};

    products! {
        hgemm_sm90_f16 [] SharedF16: f16 f16 => f16, 64, sums! SM90_64x256x16_F32F16F16_SS;
        hgemm_sm90_bf16 [] SharedBf16: bf16 bf16 => bf16, 64, sums! SM90_64x256x16_F32BF16BF16_SS;
    }
}
#[cfg(feature = "hgemm_sm90")]
pub use kernels::*;
