//! Both have the bits of 0 to 63, and their sums carry.

use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8):(^1, ^9)).layout_add(layout!((8, 8)));
}
