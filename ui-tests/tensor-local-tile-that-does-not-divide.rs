use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 24], layout!((4, 6)));
    let tile = t.local_tile(tiler!(2, 4), (0, 0)).unwrap();
    println!("{}", tile[(1, 1)] + tile.iter().sum::<i32>());
}
