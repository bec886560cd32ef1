use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((4, 6, 8)).take::<1, 1>().size());
}
