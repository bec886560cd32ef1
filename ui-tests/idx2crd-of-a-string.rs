use layout_algebra::prelude::*;

fn main() {
    println!("{:?}", idx2crd(7, "4"));
}
