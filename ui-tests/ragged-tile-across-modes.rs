use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 64], layout!((8, 8)));
    println!("{:?}", t.ragged_tile(int!(3), (0, 0)).unwrap().shape());
}
