use layout_algebra::prelude::*;

fn main() {
    layout!((4, 4):(^2, ^3)).max_common_layout(layout!((5, 8):(16, 1)));
}
