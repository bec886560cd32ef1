use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!(({}, 4)));
}
