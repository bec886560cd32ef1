use layout_algebra::prelude::*;

fn main() {
    let block = layout!((4, 3)).tile_to_shape(Ordered::new(shape!((8, 9)), (1, 0)));
    println!("{}", block.size());
}
