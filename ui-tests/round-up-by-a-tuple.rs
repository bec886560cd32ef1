use layout_algebra::prelude::*;

fn main() {
    layout!((4, 6)).round_up((2, 3));
}
