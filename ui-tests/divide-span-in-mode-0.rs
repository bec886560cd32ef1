use layout_algebra::prelude::*;

fn main() {
    layout!((6, 4)).zipped_divide(tiler!(4, 2));
}
