use layout_algebra::prelude::*;

fn main() {
    println!("{}", crd2idx((1, 2, 3), shape!((4, 6))));
}
