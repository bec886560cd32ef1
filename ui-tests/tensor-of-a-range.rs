use layout_algebra::prelude::*;

fn main() {
    Tensor::new(0..24, layout!((4, 6))).unwrap();
}
