use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((4, 6)).select(shape!((1, 2))).size());
}
