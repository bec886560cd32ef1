use layout_algebra::prelude::*;

fn main() {
    layout!((4, 12)).flat_divide(4i32);
}
