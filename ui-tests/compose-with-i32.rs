use layout_algebra::prelude::*;

fn main() {
    layout!((4, 12)).compose(4i32);
}
