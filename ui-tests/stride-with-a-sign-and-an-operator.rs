use layout_algebra::prelude::*;

fn main() {
    let n = 8;
    layout!((4, n):(1, -n + 1));
}
