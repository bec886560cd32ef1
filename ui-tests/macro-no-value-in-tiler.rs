use layout_algebra::prelude::*;

fn main() {
    let a = layout!((4, 6)).zipped_divide(tiler!(_, (2, _):(1, 2)));
    println!("{}", a.size());
}
