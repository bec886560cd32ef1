//! A table has rows and columns.

use layout_algebra::prelude::*;

fn main() {
    let _ = layout!((2, 3, 4)).table();
}
