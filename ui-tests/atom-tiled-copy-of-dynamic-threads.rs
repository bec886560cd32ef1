use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
use layout_algebra::prelude::*;

fn main() {
    let n = 8;
    let copy = make_tiled_copy(UniversalCopy::<i32>::new(), layout!((4, n)), layout!((1, 4))).unwrap();
    println!("{}", copy.size());
}
