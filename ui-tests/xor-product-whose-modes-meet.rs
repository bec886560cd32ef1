//! A step of 17 goes ^1 and 32 far, which is 33 as one stride, and one of 16 goes 32 far: both have bit 5.

use layout_algebra::prelude::*;

fn main() {
    layout!(2:^8).logical_product(layout!((3, 8):(16, 17)));
}
