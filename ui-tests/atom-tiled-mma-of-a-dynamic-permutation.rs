use layout_algebra::{atom::*, prelude::*};

fn main() {
    let n = 8;
    make_tiled_mma(UniversalFma::<f32>::default(), layout!((2, 2, 1)), tiler!(n, _, _));
}
