use layout_algebra::prelude::*;
use layout_draw::Draw;

fn main() {
    let swizzled = Swizzle::<2, 0, 2>::new().compose(layout!((4, 4)));
    swizzled.draw_thread_values((4, 4), None).unwrap();
}
