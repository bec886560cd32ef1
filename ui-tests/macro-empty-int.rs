use layout_algebra::prelude::*;

fn main() {
    let n = int!();
    println!("{}", layout!((4, 6)).index((n, 5)));
}
