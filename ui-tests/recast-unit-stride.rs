use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8):(2, 16)).recast(shape!((32, 8)));
}
