use layout_algebra::prelude::*;

fn main() {
    let l = StridedLayout::new(shape!((4, 6)), shape!((1, 4, 24)));
    let tiles = l.zipped_divide(tiler!(2, 3));
    println!("{} {} {}", l.index((1, 2)), tiles.size(), l.compose(layout!(4:2)).coalesce());
}
