use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!(((4, 2), 6)).index((int!(8), 3)));
}
