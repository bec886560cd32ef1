use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((4, 6)).append(int!(8)).size());
}
