use layout_algebra::prelude::*;

const TILE: usize = 0;

fn main() {
    println!("{}", layout!(({ TILE }, 4)));
}
