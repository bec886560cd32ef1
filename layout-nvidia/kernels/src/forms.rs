//! Every form that a descriptor describes, multiplied: one warpgroup, 64 x 64 x 64, both operands in the same form.

use layout_algebra::prelude::*;

/// The threads of a block.
pub type Threads = Layout!(128);
/// The threads that fill an operand: each a row, two columns at a time.
pub type Fill = (Layout!((64, 2)), Layout!((1, 1)));

#[cfg(feature = "forms")]
mod kernels {
    use super::*;
    use half::f16;
    use layout_algebra::atom::{UniversalCopy, copy, make_tiled_copy, make_tiled_mma};
    use layout_nvidia::device::{self, SharedTile, SharedTiles};
    use layout_nvidia::hopper::{self, Going, SM90_64x32x16_F32F16F16_SS};
    use layout_nvidia::kernel;

    macro_rules! kernels {
        ($($name:ident $tile:ident: $layout:ty;)*) => {$(
            #[doc = concat!("The tile of `", stringify!($name), "`: rows, K.")]
            pub type $tile = $layout;
            kernel! {
                /// `c` is the product of `a` and `b`, 64 x 64 each, both with K first; `c` is row-major.
                ///
                /// # Safety
                /// The matrices are there.
                pub fn $name(a: *const f16, b: *const f16, c: *mut f32)
                threads: Threads, shared: (SharedTile<f16, $tile>, SharedTile<f16, $tile>);
                {
                    // SAFETY: the caller's promises; the tiles are written before the barrier and read behind it.
                    unsafe {
                        let (threads, values) = <Fill>::default();
                        let one = UniversalCopy::<f16, Int<1>>::new();
                        let Ok(fill) = make_tiled_copy(one, threads, values) else { return };
                        let mma = make_tiled_mma(SM90_64x32x16_F32F16F16_SS, layout!((1, 1, 1)), tiler!(_, _, _));
                        let id = device::thread();
                        let (Some(mine), Some(share)) = (fill.get_slice(id), mma.get_slice(id)) else { return };
                        let ga = Tensor::from_global_ref(a, layout!((64, 64):(64, 1)));
                        let gb = Tensor::from_global_ref(b, layout!((64, 64):(64, 1)));
                        let mut gc = Tensor::from_global(c, layout!((64, 64):(64, 1)));
                        let (mut sa, mut sb) = <(SharedTile<f16, $tile>, SharedTile<f16, $tile>)>::tensors();
                        let (from_a, from_b) = (mine.partition_s_unchecked(&ga), mine.partition_s_unchecked(&gb));
                        let _ = copy(&fill, &from_a, &mut mine.partition_d_unchecked_mut(&mut sa));
                        let _ = copy(&fill, &from_b, &mut mine.partition_d_unchecked_mut(&mut sb));
                        hopper::fence_async();
                        device::barrier();
                        let mut sums = Going::start(share.partition_fragment_c(&gc));
                        sums.gemm(&mma, &share.partition_a_unchecked(&sa), &share.partition_b_unchecked(&sb), false);
                        let sums = sums.finish::<SM90_64x32x16_F32F16F16_SS>();
                        let one = UniversalCopy::<f32, Int<1>>::new();
                        let _ = copy(&one, &sums, &mut share.partition_c_unchecked_mut(&mut gc));
                    }
                }
            }
        )*};
    }
    kernels! {
        form_k_none KNone: Layout!(((8, 8), (8, 8)):((8, 64), (1, 512)));
        form_k_32 K32: ComposedLayout<Swizzle<1, 3, 3>, Int<0>, Layout!(((8, 8), (16, 4)):((16, 128), (1, 1024)))>;
        form_k_64 K64: ComposedLayout<Swizzle<2, 3, 3>, Int<0>, Layout!(((8, 8), (32, 2)):((32, 256), (1, 2048)))>;
        form_k_128 K128: ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!((64, 64):(64, 1))>;
        form_mn_none MnNone: Layout!(((8, 8), (8, 8)):((1, 64), (8, 512)));
        form_mn_32 Mn32: ComposedLayout<Swizzle<1, 3, 3>, Int<0>, Layout!(((16, 4), (8, 8)):((1, 128), (16, 512)))>;
        form_mn_64 Mn64: ComposedLayout<Swizzle<2, 3, 3>, Int<0>, Layout!(((32, 2), (8, 8)):((1, 256), (32, 512)))>;
        form_mn_128 Mn128: ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!((64, 64):(1, 64))>;
    }
}
#[cfg(feature = "forms")]
pub use kernels::*;
