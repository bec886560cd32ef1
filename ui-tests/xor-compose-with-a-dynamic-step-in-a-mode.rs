//! Whether a step carries depends on its bits.

use layout_algebra::prelude::*;

fn main() {
    let step = 2;
    layout!((8, 8):(^1, ^9)).compose(tiler!(_, 4:step));
}
