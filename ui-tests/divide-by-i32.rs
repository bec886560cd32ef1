use layout_algebra::prelude::*;

fn main() {
    layout!((4, 12)).logical_divide(4i32);
}
