use layout_draw::Draw;
use layout_algebra::prelude::*;

fn main() {
    layout!((4, 6)).draw_division("<2,3>").unwrap();
}
