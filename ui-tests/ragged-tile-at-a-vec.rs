use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 24], layout!((4, 6)));
    println!("{:?}", t.ragged_tile(tiler!(3, 4), vec![1, 0]).unwrap().shape());
}
