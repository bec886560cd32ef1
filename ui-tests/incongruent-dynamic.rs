use layout_algebra::prelude::*;

fn main() {
    StridedLayout::new((4, 6), 1);
}
