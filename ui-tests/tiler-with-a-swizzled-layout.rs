use layout_algebra::prelude::*;

fn main() {
    let swizzled = Swizzle::<3, 3, 3>::new().compose(layout!((8, 64):(64, 1)));
    layout!((512, 64)).zipped_divide(tiler!(swizzled, 4));
}
