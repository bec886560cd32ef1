use layout_algebra::prelude::*;
use layout_draw::Draw;

fn main() {
    layout!((4, 6)).draw_division("<2,3>").unwrap();
}
