use layout_algebra::draw;
use layout_algebra::prelude::*;

fn main() {
    draw::tiled_copy(&layout!((4, 6)), None).unwrap();
}
