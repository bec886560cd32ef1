use layout_algebra::prelude::*;

fn main() {
    layout!((2, (2, 2, 2, 2), (2, 2, 2, 2)):(256, (128, 64, 32, 16), (8, 4, 2, 1))).coalesce_z();
}
