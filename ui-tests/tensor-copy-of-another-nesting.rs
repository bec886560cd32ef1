use layout_algebra::prelude::*;

fn main() {
    let a = Tensor::fixed([0; 24], layout!((4, 6)));
    let mut b = Tensor::fixed([0; 24], layout!((4, (2, 3))));
    b.copy_from(&a).unwrap();
}
