use layout_algebra::prelude::*;

fn main() {
    layout!(64:1).logical_divide(layout!((4, 4):(1, 2)));
}
