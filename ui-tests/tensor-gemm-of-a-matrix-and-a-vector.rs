use layout_algebra::prelude::*;

fn main() {
    let a = Tensor::fixed([0; 6], layout!((2, 3)));
    let b = Tensor::fixed([0; 3], layout!(3));
    let mut c = Tensor::fixed([0; 4], layout!((2, 2)));
    c.gemm(&a, &b).unwrap();
}
