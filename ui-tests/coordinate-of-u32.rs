use layout_algebra::prelude::*;

fn main() {
    let i = 1u32;
    println!("{}", layout!((4, 6)).index((i, 2)));
}
