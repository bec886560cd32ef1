use layout_algebra::prelude::*;

fn main() {
    let a = layout!((4, 6)).zipped_divide(tiler!((2, 3) _));
    println!("{}", a.size());
}
