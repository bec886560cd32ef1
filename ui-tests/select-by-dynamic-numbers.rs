use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((4, 6)).select((1, 0)).size());
}
