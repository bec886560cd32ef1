use layout_algebra::prelude::*;

fn main() {
    layout!((4, (6, 2))).logical_divide(Tiler::new((int!(2), shape!((3, 2)))));
}
