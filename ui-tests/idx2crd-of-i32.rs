use layout_algebra::prelude::*;

fn main() {
    let coordinate = idx2crd(7, (4i32, 6));
    println!("{}", coordinate.0);
}
