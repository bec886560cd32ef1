use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 30], layout!((5, 6)));
    let r = t.ragged_tile(tiler!(2, 3, 4), (1, 1, 1)).unwrap();
    println!("{:?} {:?}", r.get((0, 0)), r.shape());
}
