//! Steps of 5 go 3 along the natural mode and ^48 along the XOR mode, and 2 * 3 + 3 carries.

use layout_algebra::prelude::*;

fn main() {
    layout!((4, 4):(3, ^48)).compose(layout!(4:5));
}
