use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((2, 2, 2, 2, 2, 2, 2, 2)).prepend(layout!(2:256)).size());
}
