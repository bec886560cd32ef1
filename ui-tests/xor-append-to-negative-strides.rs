use layout_algebra::prelude::*;

fn main() {
    layout!((4, 6):(-1, 4)).append(layout!(4:^64));
}
