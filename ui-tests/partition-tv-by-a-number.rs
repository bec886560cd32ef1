use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 64], layout!((8, 8)));
    println!("{}", t.partition_tv(tiler!(4, 4), 5, 0).unwrap().size());
}
