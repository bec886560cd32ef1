use layout_algebra::prelude::*;

fn main() {
    layout!((4, 6):(1, 8)).logical_divide(layout!(3:2));
}
