//! Whether a step carries depends on its bits.

use layout_algebra::prelude::*;

fn main() {
    let step = 2;
    layout!(64:^3).compose(layout!(4:step));
}
