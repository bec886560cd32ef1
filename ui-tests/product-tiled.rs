use layout_algebra::prelude::*;

fn main() {
    layout!((4, 4):(1, 2)).tiled_product(int!(6));
}
