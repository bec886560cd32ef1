use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((4, 8):(1, 9223372036854775808)).cosize());
}
