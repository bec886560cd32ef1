use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((8, 8):(^1, ^9)));
}
