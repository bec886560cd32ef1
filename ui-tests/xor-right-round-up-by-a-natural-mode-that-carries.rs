use layout_algebra::prelude::*;

fn main() {
    layout!((64, 8)).round_up(layout!((6, 2):(1, ^32)));
}
