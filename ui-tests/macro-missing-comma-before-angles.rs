use layout_algebra::prelude::*;

fn main() {
    let a = layout!((4, (2, 3))).zipped_divide(tiler!(2 <2, _>));
    println!("{}", a.size());
}
