//! Steps of 2 and of 3 share bit 1 of an XOR mode.

use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8):(^1, ^9)).compose(layout!((2, 2):(2, 3)));
}
