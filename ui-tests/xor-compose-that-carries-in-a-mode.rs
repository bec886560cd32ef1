//! Three times 3 is 9, and not 3 XOR 6.

use layout_algebra::prelude::*;

fn main() {
    layout!((4, 16):(^128, ^3)).compose(tiler!(_, 4:3));
}
