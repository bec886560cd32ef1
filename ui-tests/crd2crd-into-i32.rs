use layout_algebra::prelude::*;

fn main() {
    let coordinate = crd2crd(7, (4, 6), (2i32, 12));
    println!("{}", coordinate.0);
}
