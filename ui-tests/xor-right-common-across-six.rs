use layout_algebra::prelude::*;

fn main() {
    layout!((6, 8):(1, 8)).max_common_layout(layout!((8, 2):(^1, ^9)));
}
