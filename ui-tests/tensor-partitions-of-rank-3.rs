use layout_algebra::prelude::*;

fn main() {
    let mut t = Tensor::fixed([0; 24], layout!((4, 6)));
    t.partitions_mut(layout!((2, 3, 4))).unwrap();
}
