use layout_algebra::prelude::*;

fn main() {
    Tensor::fixed(vec![0; 24], layout!((4, 6)));
}
