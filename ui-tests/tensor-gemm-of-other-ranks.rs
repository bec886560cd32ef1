use layout_algebra::prelude::*;

fn main() {
    let a = Tensor::fixed([1.0; 24], layout!((2, 2, 2, 3)));
    let mut c = Tensor::fixed([0.0; 16], layout!((4, 4)));
    c.gemm(&a, &a).unwrap();
}
