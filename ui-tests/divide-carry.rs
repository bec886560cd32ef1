use layout_algebra::prelude::*;

fn main() {
    layout!((5, 6):(1, 10)).logical_divide(layout!(3:2));
}
