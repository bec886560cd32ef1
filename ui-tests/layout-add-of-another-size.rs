use layout_algebra::prelude::*;

fn main() {
    layout!((2, 3)).layout_add(layout!((2, 4)));
}
