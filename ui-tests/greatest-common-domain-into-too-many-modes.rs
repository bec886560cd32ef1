use layout_algebra::prelude::*;

fn main() {
    let nine = shape!(((2, 2, 2, 2, 2, 2, 2, 2), 2));
    nine.greatest_common_domain(nine);
}
