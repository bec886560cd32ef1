use layout_algebra::prelude::*;

fn main() {
    layout!((4, 6):(-1, 4)).replace::<1, _>(layout!(4:^64));
}
