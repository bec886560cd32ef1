use layout_algebra::prelude::*;

fn main() {
    layout!((4, (6, 2))).round_up(Tiler::new((int!(2), shape!((3, 2)))));
}
