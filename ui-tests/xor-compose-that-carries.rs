//! Steps of 2 and of 3 share bit 1 of an XOR mode, whose products carry: 8:^3 is not 8:3.

use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8):(^3, ^64)).compose(layout!((2, 2):(2, 3)));
}
