use layout_algebra::prelude::*;

fn main() {
    layout!((4, 6):(-1, 4)).layout_add(layout!((4, 6):(^1, ^4)));
}
