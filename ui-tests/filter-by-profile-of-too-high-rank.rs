use layout_algebra::prelude::*;

fn main() {
    layout!((2, 6)).filter_by(shape!((1, 1, 1)));
}
