//! Three times 3 is 9, and not 3 XOR 6.

use layout_algebra::prelude::*;

fn main() {
    layout!((16, 3):(^3, ^64)).logical_divide(layout!(4:3));
}
