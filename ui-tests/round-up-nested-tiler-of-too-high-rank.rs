use layout_algebra::prelude::*;

fn main() {
    layout!((5, ((4, 2), 7))).round_up(tiler!(_, <<2, 2, 2>>));
}
