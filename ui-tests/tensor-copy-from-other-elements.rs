use layout_algebra::prelude::*;

fn main() {
    let a = Tensor::fixed([0i32; 24], layout!((4, 6)));
    let mut b = Tensor::fixed([0i64; 24], layout!((4, 6)));
    b.copy_from(&a).unwrap();
}
