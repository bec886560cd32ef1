use layout_algebra::atom::{UniversalFma, gemm, make_tiled_mma};
use layout_algebra::prelude::*;

fn main() {
    let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((2, 2, 1)), tiler!(_, _, _));
    let (a, b) = (Tensor::fixed([0f32; 4], layout!((1, 2, 2))), Tensor::fixed([0f64; 4], layout!((1, 2, 2))));
    gemm(&mma, &a, &b, &mut Tensor::fixed([0f32; 4], layout!((1, 2, 2))));
}
