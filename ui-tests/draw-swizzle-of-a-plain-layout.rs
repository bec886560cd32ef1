use layout_algebra::draw;
use layout_algebra::prelude::*;

fn main() {
    let access = analysis::WarpAccess::new(&FlatLayout::of(&layout!((32, 1))), 32, 32);
    draw::swizzle(&layout!((32, 32)), &access).unwrap();
}
