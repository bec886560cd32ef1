//! `C = s A B` of floats of 8 bits with sums in fp32, on Hopper's tensor cores: [`hgemm_sm90`](crate::hgemm_sm90) with
//! twice as many columns in a stage. A and B have K first, as `wgmma` takes them; `s` is the product of their scales;
//! C is row-major, of `bf16`.
//!
//! Tensor cores keep about 14 bits of a sum of such products. `fp8_sm90_e4m3` leaves all of a sum to them; in
//! `fp8_sm90_e4m3_fp32` they add up one stage, 128 of K, and the threads add these in fp32. `fp8_sm90_e5m2` has A with
//! more exponent and less mantissa, as gradients have.

use layout_algebra::prelude::*;

pub use crate::hgemm_sm90::{BoxC, ClusterTile, Part, Sides, StagesC, Threads, Warpgroups};

/// What is fetched of an operand at once.
pub type Operand = Tiler!(128, 128);
/// Rows of 128 bytes, whose units of 16 change places by the number of the row.
pub type Rows128 = Swizzle<3, 4, 3>;
/// The stages of A: rows, K, stages.
pub type StagesA = ComposedLayout<Rows128, Int<0>, Layout!((128, 128, 4):(128, 1, 16384))>;
/// The stages of B: rows in two halves, one from each block of the cluster.
pub type StagesB = ComposedLayout<Rows128, Int<0>, Layout!(((128, 2), 128, 4):((128, 16384), 1, 32768))>;
/// What is fetched at once.
pub type Box = ComposedLayout<Rows128, Int<0>, Layout!((128, 128):(128, 1))>;

/// The sums of a tile, of which tensor cores add up one stage: 128 columns at a time, since a thread has registers for
/// half a tile beside the whole. While one warpgroup adds, the other one multiplies.
#[cfg(feature = "fp8_sm90")]
macro_rules! sums_of_stages {
    ($atom:ident, $mma:ident $share:ident $a:ident $b:ident, $ring:ident, $depth:ident) => {{
        let whole = Tensor::from_global_ref(core::ptr::null::<f32>(), layout!((128, 256)));
        let half = Tensor::from_global_ref(core::ptr::null::<f32>(), layout!((128, 128)));
        let mut total = $share.partition_fragment_c(&whole);
        let mut step = 0;
        while step < $depth {
            let stage = $ring.wait();
            let i = stage.number() as usize;
            let a = $a.slice_unchecked((.., .., .., i));
            for_static!(N in 0..2, {
                let mut sums = Going::start($share.partition_fragment_c(&half));
                sums.gemm(&$mma, &a, &$b.slice_unchecked((.., N, .., i)), false);
                let sums = sums.finish::<$atom>();
                let mut total = total.slice_mut((.., .., N));
                for_static!(I in 0..64, { total[I] += sums[I]; });
            });
            stage.release();
            step += 1;
        }
        total
    }};
}

#[cfg(feature = "fp8_sm90")]
mod kernels {
    use super::*;
    use crate::hgemm_sm90::EIGHT;
    use core::num::NonZeroU32;
    use half::bf16;
    use layout_algebra::atom::{UniversalCopy, copy, make_tiled_mma};
    use layout_algebra::for_static;
    use layout_nvidia::device::{self, SharedTile, SharedTiles};
    use layout_nvidia::element::{E4m3, E5m2};
    use layout_nvidia::hopper::{
        self, Cluster, Consumer, Empty, Full, Going, Mbarrier, Mbarriers, Narrow, Producer, SM90_64x64x16_F32F16F16_SS,
        SM90_64x128x32_F32E4M3E4M3_SS_TN, SM90_64x256x32_F32E4M3E4M3_SS_TN, SM90_64x256x32_F32E5M2E4M3_SS_TN,
        TensorMap,
    };
    use layout_nvidia::{cluster_size, kernel};

    products! {
        fp8_sm90_e4m3 [scale_a scale_b] SharedE4m3: E4m3 E4m3 => bf16, 128, sums! SM90_64x256x32_F32E4M3E4M3_SS_TN;
        fp8_sm90_e4m3_fp32 [scale_a scale_b] SharedE4m3Fp32: E4m3 E4m3 => bf16, 128,
            sums_of_stages! SM90_64x128x32_F32E4M3E4M3_SS_TN;
        fp8_sm90_e5m2 [scale_a scale_b] SharedE5m2: E5m2 E4m3 => bf16, 128, sums! SM90_64x256x32_F32E5M2E4M3_SS_TN;
    }
}
#[cfg(feature = "fp8_sm90")]
pub use kernels::*;
