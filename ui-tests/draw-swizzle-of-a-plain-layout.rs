use layout_algebra::prelude::*;
use layout_draw::Draw;

fn main() {
    let access = analysis::WarpAccess::new(&FlatLayout::of(&layout!((32, 1))), 32, 32);
    layout!((32, 32)).draw_swizzle(&access).unwrap();
}
