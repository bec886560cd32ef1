//! Behind 3 steps the bits of ^3 do not go on.

use layout_algebra::prelude::*;

fn main() {
    layout!((6, 8):(^3, ^24)).layout_add(layout!((3, 16):(1024, 4096)));
}
