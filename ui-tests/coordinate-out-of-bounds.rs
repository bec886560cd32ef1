use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((4, 6)).index(shape!((5, 2))));
}
