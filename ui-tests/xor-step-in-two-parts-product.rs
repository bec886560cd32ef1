//! What 16:^31 leaves free is (16,2):(^1,512) and so on: steps of 49 go 3 * 512 and ^1 far, and 2 * 3 + 3 carries.

use layout_algebra::prelude::*;

fn main() {
    layout!(16:^31).logical_product(layout!(4:49));
}
