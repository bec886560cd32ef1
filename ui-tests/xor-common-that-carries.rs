use layout_algebra::prelude::*;

fn main() {
    layout!((4, 5):(^1, ^4)).max_common_layout(layout!((5, 8, 2):(16, 2, 1)));
}
