use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((4, 6)).replace::<1, _>(int!(8)).size());
}
