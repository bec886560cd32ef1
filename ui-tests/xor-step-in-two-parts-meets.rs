//! Beyond its size the left layout goes on with its natural mode, whose 4 is one of the XOR strides' bits.

use layout_algebra::prelude::*;

fn main() {
    layout!((4, 4):(^12, 1)).compose(layout!((2, 2):(1, 18)));
}
