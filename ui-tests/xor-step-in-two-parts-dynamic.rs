//! Steps of 5 go along both modes, and how far other modes reach along XOR strides only run time knows.

use layout_algebra::prelude::*;

fn main() {
    let n = 4;
    layout!((4, 4):(1, ^4)).compose(layout!((4, n):(5, 16)));
}
