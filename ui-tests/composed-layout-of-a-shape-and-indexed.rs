use layout_algebra::prelude::*;

fn main() {
    let tile = ComposedLayout::new(Swizzle::<1, 0, 1>::new(), 0, shape!((8, 8)));
    println!("{} {}", tile.at(3), tile.size());
}
