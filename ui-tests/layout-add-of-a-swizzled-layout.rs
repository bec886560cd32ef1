use layout_algebra::prelude::*;

fn main() {
    let swizzled = Swizzle::<3, 3, 3>::new().compose(layout!((8, 64):(64, 1)));
    layout!((8, 64)).layout_add(swizzled);
}
