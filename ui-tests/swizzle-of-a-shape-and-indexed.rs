use layout_algebra::prelude::*;

fn main() {
    let tile = Swizzle::<2, 0, 3>::new().compose(shape!((8, 8)));
    println!("{} {}", tile.index((1, 2)), tile.size());
}
