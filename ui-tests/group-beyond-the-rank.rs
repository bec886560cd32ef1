use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((4, 6)).group::<1, 3>().size());
}
