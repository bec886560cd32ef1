use layout_algebra::prelude::*;

fn main() {
    let rows = 8;
    layout!((rows, 6):(1, 100)).logical_divide(int!(4));
}
