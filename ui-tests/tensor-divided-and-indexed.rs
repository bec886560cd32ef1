use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 24], layout!((4, 6)));
    let tiles = t.zipped_divide(tiler!(2, 4));
    println!("{}", tiles[(0, 1)]);
}
