use layout_algebra::prelude::*;

fn main() {
    StridedLayout::new(shape!((4, (2, 3))), shape!((1, 4)));
}
