use layout_algebra::prelude::*;

fn main() {
    layout!((2, 2, 2, 2, 2, 2, 2, 2)).tiled_divide(tiler!(2));
}
