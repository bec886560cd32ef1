use layout_algebra::prelude::*;
use layout_algebra::tensor::Addressable;

fn count<S: Storage<Item = i32>, L: Addressable>(t: &Tensor<S, L>) -> usize {
    t.tiles(tiler!(2, 3)).count()
}

fn main() {
    println!("{}", count(&Tensor::fixed([0; 24], layout!((4, 6)))));
}
