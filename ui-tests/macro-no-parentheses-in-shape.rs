use layout_algebra::prelude::*;

fn main() {
    let c = shape!(3, 5);
    println!("{}", layout!((4, 6)).index(c));
}
