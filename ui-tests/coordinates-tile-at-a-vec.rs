use layout_algebra::prelude::*;

fn main() {
    let whole = Tensor::coordinates(identity(shape!((4, 6))));
    println!("{}", whole.local_tile(tiler!(2, 3), vec![1, 0]).unwrap().size());
}
