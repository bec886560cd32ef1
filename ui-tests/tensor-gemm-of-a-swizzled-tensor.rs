use layout_algebra::prelude::*;

fn main() {
    let a = Tensor::fixed([0; 64], Swizzle::<3, 0, 3>::new().compose(layout!((8, 8))));
    let mut c = Tensor::fixed([0; 64], layout!((8, 8)));
    c.gemm(&a, &a).unwrap();
}
