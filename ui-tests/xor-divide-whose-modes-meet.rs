//! The tile is XORed, and the offset of the second mode, 1, is one of its bits.

use layout_algebra::prelude::*;

fn main() {
    layout!((8, 2):(1, 1)).flat_divide(tiler!((2, 2):(^1, ^3), _));
}
