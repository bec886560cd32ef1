//! The layout goes on beyond its size, where 17 leads to 16 and ^28: both have bit 4.

use layout_algebra::prelude::*;

fn main() {
    layout!((4, 2):(16, ^7)).compose(layout!((3, 2):(17, 4)));
}
