use layout_algebra::prelude::*;

fn main() {
    let tile = 4;
    layout!((8, 6):(1, 10)).logical_divide(tile);
}
