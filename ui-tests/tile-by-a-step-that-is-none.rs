use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 24], layout!((4, 6)));
    println!("{}", t.local_tile_by(tiler!(2, 3), (1, 1), layout!(2)).unwrap().size());
}
