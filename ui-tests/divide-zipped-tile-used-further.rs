use layout_algebra::prelude::*;

fn tiles<L: ZippedDivide<Tiler!(32, 32)>>(l: L) -> usize {
    let (tile, rest) = L::tile_and_rest(l.zipped_divide(tiler!(32, 32)));
    tile.size() * rest.size()
}

fn main() {
    tiles(layout!((128, 100)));
}
