use layout_algebra::prelude::*;

fn main() {
    layout!((20, 3):(1, 40)).logical_divide(layout!(4:15));
}
