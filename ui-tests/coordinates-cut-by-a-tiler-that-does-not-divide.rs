use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::coordinates(identity(shape!((4, 6))));
    let tile = t.local_tile(tiler!(2, 4), (0, 0)).unwrap();
    println!("{:?}", tile.layout().size());
}
