use layout_algebra::prelude::*;

fn main() {
    let n = 9;
    layout!((8, 8)).max_common_layout(layout!((8, 8):(^1, ^n)));
}
