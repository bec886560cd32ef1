//! Steps go 3 along natural strides and ^64 along XOR strides, and 2 * 3 + 3 carries.

use layout_algebra::prelude::*;

fn main() {
    layout!((4, 4):(^64, ^192)).layout_add(layout!((4, 4):(3, 0)));
}
