use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((4, 6)).take::<1, 3>().size());
}
