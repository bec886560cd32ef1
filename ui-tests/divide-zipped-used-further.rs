use layout_algebra::prelude::*;

fn main() {
    let tiles = layout!((128, 100)).zipped_divide(tiler!(32, 32));
    let (tile, offset) = tiles.slice((.., 3));
    println!("{} {}", tile.size(), offset + tiles.index((1, 2)));
}
