use layout_algebra::prelude::*;
use layout_draw::Draw;

fn main() {
    identity((4, 6)).draw_memory().unwrap();
}
