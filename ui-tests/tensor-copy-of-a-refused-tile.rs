use layout_algebra::prelude::*;

fn main() {
    let a = Tensor::fixed([0; 24], layout!((4, 6)));
    let mut b = Tensor::fixed([0; 9], layout!((3, 3)));
    b.copy_from(&a.local_tile(tiler!(3, 3), (1, 1)).unwrap()).unwrap();
}
