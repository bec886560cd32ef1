use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((4, 6)).mode::<2>().size());
}
