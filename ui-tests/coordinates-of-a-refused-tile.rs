use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::coordinates(identity(shape!((4, 6)))).local_tile(tiler!(3, 2), (0, 1)).unwrap();
    println!("{:?} {:?}", t.get((1, 1)), t.shape());
}
