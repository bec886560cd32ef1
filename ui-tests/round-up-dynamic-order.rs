use layout_algebra::prelude::*;

fn main() {
    let stride = 8;
    layout!(60:1).round_up(layout!((4, 4):(1, stride)));
}
