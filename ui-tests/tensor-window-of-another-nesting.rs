use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 24], layout!((4, (2, 3))));
    t.window((1, 2), shape!((2, 4)));
}
