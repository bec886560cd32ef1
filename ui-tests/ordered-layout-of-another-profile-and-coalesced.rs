use layout_algebra::prelude::*;

fn main() {
    let l = StridedLayout::ordered(shape!((4, 6)), shape!((1, 0, 2)));
    println!("{}", l.coalesce().size());
}
