use layout_algebra::prelude::*;

fn main() {
    layout!((4, 3)).max_common_layout(int!(4));
}
