use layout_algebra::prelude::*;

fn main() {
    assert_eq!(layout!((2, 4)), layout!((6, 2):(8, 2)).compose(layout!((2, 2):(3, 3))));
}
