use layout_algebra::prelude::*;

fn main() {
    let tile = Tensor::coordinates(identity((4, 6))).local_tile(tiler!(2, 2), (0, 0, 0)).unwrap();
    println!("{:?}", tile.compose(layout!(2)).zipped_divide(tiler!(2)).coalesce().index(1));
}
