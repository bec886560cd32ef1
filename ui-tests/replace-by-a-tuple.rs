use layout_algebra::prelude::*;

fn main() {
    layout!((4, 6)).replace::<1, _>((2, 3));
}
