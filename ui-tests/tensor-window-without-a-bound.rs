use layout_algebra::prelude::*;
use layout_algebra::tensor::Addressable;

fn corner<S: Storage<Item = i32>, L: Addressable>(t: &Tensor<S, L>) -> i32 {
    *t.window((1, 2), shape!((3, 4))).iter().next().unwrap()
}

fn main() {}
