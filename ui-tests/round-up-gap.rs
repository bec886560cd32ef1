use layout_algebra::prelude::*;

fn main() {
    layout!(60:1).round_up(layout!((4, 2):(1, 6)));
}
