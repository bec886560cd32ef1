use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 24], layout!((4, 6)));
    let tile = t.local_tile_by(tiler!(4, 3, 2), (0, 1, 0), tiler!(1, 1)).unwrap();
    println!("{}", tile[(0, 0)]);
}
