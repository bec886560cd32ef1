use layout_algebra::prelude::*;

fn main() {
    assert_eq!(layout!((4, 6):(1, 8)).compose(layout!(3:2)), layout!(3:2));
}
