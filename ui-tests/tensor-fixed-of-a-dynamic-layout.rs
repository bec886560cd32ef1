use layout_algebra::prelude::*;

fn main() {
    let n = 6;
    Tensor::fixed([0; 24], layout!((4, n):(1, 4)));
}
