use layout_algebra::prelude::*;

fn main() {
    Tensor::new(vec![0; 24], identity(shape!((4, 6)))).unwrap();
}
