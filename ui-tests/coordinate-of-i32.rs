use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((4, 6)).index((1i32, 2i32)));
}
