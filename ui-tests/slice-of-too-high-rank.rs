use layout_algebra::prelude::*;

fn main() {
    let (l, offset) = layout!((4, 6)).slice((.., 1, 2));
    println!("{} {offset}", l.size());
}
