use layout_algebra::prelude::*;

fn main() {
    layout!((4, 12)).zipped_divide(4i32);
}
