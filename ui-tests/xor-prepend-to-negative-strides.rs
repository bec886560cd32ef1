use layout_algebra::prelude::*;

fn main() {
    layout!((4, 6):(-1, 4)).prepend(layout!(4:^64));
}
