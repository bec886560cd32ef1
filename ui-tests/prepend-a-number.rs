use layout_algebra::prelude::*;

fn main() {
    layout!((4, 6)).prepend(int!(8));
}
