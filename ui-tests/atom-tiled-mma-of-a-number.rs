use layout_algebra::{atom::*, prelude::*};

fn main() {
    make_tiled_mma(4, layout!((2, 2, 1)), tiler!(_, _, _));
}
