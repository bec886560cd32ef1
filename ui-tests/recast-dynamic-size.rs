use layout_algebra::prelude::*;

fn main() {
    let bits = 8;
    layout!((32, 8)).recast((bits, int!(32)));
}
