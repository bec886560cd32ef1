use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8):(^1, ^8)).recast((int!(1), int!(3)));
}
