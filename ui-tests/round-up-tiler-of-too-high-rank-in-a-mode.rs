use layout_algebra::prelude::*;

fn main() {
    layout!((8, (6, 10))).round_up(tiler!(2, <2, 2, 2>));
}
