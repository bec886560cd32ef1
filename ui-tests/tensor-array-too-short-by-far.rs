use layout_algebra::prelude::*;

fn main() {
    Tensor::fixed(&[0; 8], layout!((4, 6):(100, 256)));
}
