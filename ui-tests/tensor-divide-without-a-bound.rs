use layout_algebra::prelude::*;
use layout_algebra::tensor::Addressable;

fn first<S: Storage<Item = i32>, L: Addressable>(t: &Tensor<S, L>) -> i32 {
    t.view().zipped_divide(tiler!(2, 3)).slice((.., 1))[(0, 0)]
}

fn main() {
    println!("{}", first(&Tensor::fixed([0; 24], layout!((4, 6)))));
}
