use layout_algebra::prelude::*;

fn main() {
    let swizzled = Swizzle::<3, 0, 3>::new().compose(layout!((8, 8)));
    layout!((4, 16)).greatest_common_domain(swizzled);
}
