use layout_algebra::prelude::*;

fn main() {
    layout!((8, 60)).round_up(tiler!(2, 16, 4));
}
