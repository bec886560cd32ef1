use layout_algebra::prelude::*;

fn main() {
    layout!((32, 8)).recast(int!(4));
}
