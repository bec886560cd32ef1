use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((4, 6, 8)).index((1, 2)));
}
