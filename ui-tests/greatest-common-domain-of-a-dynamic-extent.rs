use layout_algebra::prelude::*;

fn main() {
    let rows = 4;
    shape!((rows, 6)).greatest_common_domain(shape!((2, 12)));
}
