use layout_algebra::prelude::*;

fn main() {
    layout!((2, 2):(1, 1)).recast(shape!((8, 16)));
}
