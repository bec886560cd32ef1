use layout_algebra::prelude::*;

fn main() {
    layout!((4, 6)).greatest_common_domain(tiler!(2, 3));
}
