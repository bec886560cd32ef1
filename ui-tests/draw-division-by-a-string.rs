use layout_algebra::draw;
use layout_algebra::prelude::*;

fn main() {
    draw::division(&layout!((4, 6)), "<2,3>").unwrap();
}
