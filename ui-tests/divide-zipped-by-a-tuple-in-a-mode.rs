use layout_algebra::prelude::*;

fn main() {
    layout!((4, (6, 8))).zipped_divide(Tiler::new((int!(2), (int!(3), int!(4)))));
}
