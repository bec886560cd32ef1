use layout_algebra::draw;
use layout_algebra::prelude::*;

fn main() {
    draw::memory(&identity((4, 6))).unwrap();
}
