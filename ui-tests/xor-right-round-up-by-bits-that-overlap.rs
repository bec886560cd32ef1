use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8)).round_up(layout!((2, 2):(^3, ^3)));
}
