use layout_algebra::prelude::*;

fn main() {
    let mut t = Tensor::fixed([0; 24], layout!((4, 6)));
    println!("{}", t.partitions_mut(24).unwrap().count());
}
