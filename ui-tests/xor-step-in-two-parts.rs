//! A step of 9 goes along the natural mode and the XOR mode at once.

use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8):(^1, 64)).compose(layout!(2:9));
}
