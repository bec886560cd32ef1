use layout_algebra::prelude::*;

fn tiles<L: Tiled<Tiler!(2, 4)>>(l: L) -> usize {
    l.zipped_divide(tiler!(2, 4)).size()
}

fn main() {
    println!("{}", tiles(layout!((4, 6))));
}
