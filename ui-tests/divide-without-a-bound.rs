use layout_algebra::prelude::*;

fn tiles<L: Layout>(l: L) -> usize {
    l.zipped_divide(tiler!(2, 2)).size()
}

fn main() {
    println!("{}", tiles(layout!((4, 6))));
}
