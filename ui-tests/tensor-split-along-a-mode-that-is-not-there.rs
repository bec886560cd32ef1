use layout_algebra::prelude::*;

fn main() {
    let mut t = Tensor::fixed([0; 24], layout!((4, 6)));
    t.split_at_mut::<2>(1).0.fill(1);
}
