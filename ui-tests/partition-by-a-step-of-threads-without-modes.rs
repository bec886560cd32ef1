use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 24], layout!((4, 6)));
    println!("{}", t.local_partition_by(layout!(4:1), 0, tiler!(1, _)).unwrap().size());
}
