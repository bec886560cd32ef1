//! A step goes `n` on and 1 back.

use layout_algebra::prelude::*;

fn main() {
    let n = 10;
    layout!((4, 6):(-1, n)).compose(layout!(2:5));
}
