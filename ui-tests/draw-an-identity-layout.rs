use layout_draw::Draw;
use layout_algebra::prelude::*;

fn main() {
    identity((4, 6)).draw_memory().unwrap();
}
