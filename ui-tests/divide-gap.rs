use layout_algebra::prelude::*;

fn main() {
    layout!(48:1).logical_divide(layout!((4, 2):(1, 6)));
}
