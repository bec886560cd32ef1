use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((4, 6)).select(int!(1)).size());
}
