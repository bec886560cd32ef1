use layout_algebra::prelude::*;
use layout_algebra::tensor::Addressable;

fn first<S: Storage<Item = i32>, L: Addressable>(t: &Tensor<S, L>) -> usize {
    t.local_tile(tiler!(2, 3), (0, 1)).unwrap().size()
}

fn main() {
    println!("{}", first(&Tensor::fixed([0; 24], layout!((4, 6)))));
}
