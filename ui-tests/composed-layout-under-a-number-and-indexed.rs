use layout_algebra::prelude::*;

fn main() {
    let tile = ComposedLayout::new(5, 0, layout!((8, 8)));
    println!("{} {}", tile.at(3), tile.size());
}
