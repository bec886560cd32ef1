use layout_algebra::prelude::*;

fn main() {
    layout!((4, 4):(1, 2)).zipped_product(int!(6));
}
