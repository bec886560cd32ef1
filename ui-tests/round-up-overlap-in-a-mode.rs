use layout_algebra::prelude::*;

fn main() {
    layout!((8, 60)).round_up(tiler!(2, (4, 4):(1, 2)));
}
