use layout_algebra::draw;
use layout_algebra::prelude::*;

fn main() {
    let swizzled = Swizzle::<2, 0, 2>::new().compose(layout!((4, 4)));
    draw::thread_values(&swizzled, (4, 4), None).unwrap();
}
