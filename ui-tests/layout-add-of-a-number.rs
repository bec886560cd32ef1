use layout_algebra::prelude::*;

fn main() {
    layout!((4, 6)).layout_add(24);
}
