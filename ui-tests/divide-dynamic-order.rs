use layout_algebra::prelude::*;

fn main() {
    let stride = 8;
    layout!(64:1).logical_divide(layout!((4, 4):(1, stride)));
}
