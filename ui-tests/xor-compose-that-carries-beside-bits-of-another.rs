//! Steps of 2 and of 3 share bit 1 of `8:^1`, which is not `8:1` here: `8:^9` has bit 0 too, and is reached.

use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8):(^1, ^9)).compose(layout!((2, 2, 2):(2, 3, 8)));
}
