use layout_algebra::prelude::*;

fn main() {
    layout!((3, 4):(8, 1)).max_common_layout(layout!((2, 2, 2):(^8, ^9, ^11)));
}
