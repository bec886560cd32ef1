use layout_algebra::prelude::*;

fn main() {
    let layout = StridedLayout::ordered((4, 6), "10");
    println!("{}", layout.size());
}
