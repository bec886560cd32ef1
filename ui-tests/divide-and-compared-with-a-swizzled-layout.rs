use layout_algebra::prelude::*;

fn main() {
    let expected = Swizzle::<1, 0, 2>::new().compose(layout!(((4, 1), (3, 2))));
    assert!(expected == layout!((4, 6)).zipped_divide(tiler!(3, 2)));
}
