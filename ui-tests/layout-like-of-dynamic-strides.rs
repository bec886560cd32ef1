use layout_algebra::prelude::*;

fn main() {
    let n = 10;
    println!("{}", layout!((4, 6):(n, 1)).layout_like().size());
}
