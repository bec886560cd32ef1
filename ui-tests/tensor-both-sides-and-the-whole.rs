use layout_algebra::prelude::*;

fn main() {
    let mut t = Tensor::fixed([0; 24], layout!((4, 6)));
    let (mut left, _) = t.split_at_mut::<1>(1);
    t[0] = 1;
    left.fill(2);
}
