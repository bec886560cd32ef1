use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((8, 6)).zipped_divide((2, "3")).size());
}
