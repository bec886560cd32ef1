use layout_algebra::atom::{UniversalFma, gemm, make_tiled_mma};
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;

fn main() {
    let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((2, 2, 1)), tiler!(_, _, _));
    let (a, b) = (Fragment::<i32, Layout!((1, 4, 2))>::zeroed(), Fragment::<i32, Layout!((1, 4, 2))>::zeroed());
    let mut c = Fragment::<i32, Layout!((3, 4, 4))>::zeroed();
    gemm(&mma, &a, &b, &mut c);
}
