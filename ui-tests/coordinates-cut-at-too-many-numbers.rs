use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::coordinates(identity(shape!((4, 6))));
    t.local_tile(tiler!(2, 3), (0, 0, 0)).unwrap();
}
