use layout_algebra::prelude::*;

fn main() {
    let tile = 32;
    println!("{}", layout!(({ tile }, 4)));
}
