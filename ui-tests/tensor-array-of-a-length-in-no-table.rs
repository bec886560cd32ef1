use layout_algebra::prelude::*;

fn main() {
    Tensor::fixed([0; 6144], layout!((64, 96)));
}
