use layout_algebra::prelude::*;

const TILE: u32 = 32;

fn main() {
    println!("{}", layout!(({ TILE }, 4)));
}
