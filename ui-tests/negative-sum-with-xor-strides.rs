//! `4:^3` says 0 3 6 5, which are no steps of one number: beside -1 they have no sum that is a stride.

use layout_algebra::prelude::*;

fn main() {
    layout!((4, 6):(-1, 4)).layout_add(layout!((4, 6):(^3, ^8)));
}
