use layout_algebra::prelude::*;

fn main() {
    layout!((64, 8)).round_up(tiler!((6, 2):(1, ^32), _));
}
