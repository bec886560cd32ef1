use layout_algebra::prelude::*;

fn main() {
    layout!((6, 8):(1, 6)).recast(shape!((8, 0)));
}
