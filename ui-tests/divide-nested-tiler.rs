use layout_algebra::prelude::*;

fn main() {
    layout!((8, (6, 9))).zipped_divide(tiler!(2, <3, 4>));
}
