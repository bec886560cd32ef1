use layout_algebra::prelude::*;

fn main() {
    let a = Tensor::fixed([0; 24], layout!((4, 6)));
    let mut b = Tensor::fixed([0; 6], layout!(6));
    a.ragged_tile(tiler!(2, 3), (1, 1)).unwrap().copy_to(&mut b).unwrap();
}
