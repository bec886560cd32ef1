use layout_algebra::prelude::*;
use layout_algebra::tensor::Addressable;

fn count<S: StorageMut<Item = i32>, L: Addressable>(t: &mut Tensor<S, L>) -> usize {
    t.tiles_mut(tiler!(2, 3)).count()
}

fn main() {
    println!("{}", count(&mut Tensor::fixed([0; 24], layout!((4, 6)))));
}
