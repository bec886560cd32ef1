use layout_algebra::prelude::*;

fn main() {
    println!("{:?}", identity(shape!((4, 6))).compose(layout!(2:5)).index(1));
}
