use layout_algebra::prelude::*;

fn main() {
    let n = int!(2 * 3);
    println!("{}", layout!((4, 6)).index((n, 5)));
}
