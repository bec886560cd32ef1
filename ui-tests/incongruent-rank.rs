use layout_algebra::prelude::*;

fn main() {
    StridedLayout::new(shape!((4, 6)), shape!((1, 4, 24)));
}
