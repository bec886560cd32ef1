//! Three times 3 is 9, and not 3 XOR 6.

use layout_algebra::prelude::*;

fn main() {
    layout!((4, 12):(^64, ^3)).logical_divide(tiler!(_, 4:3));
}
