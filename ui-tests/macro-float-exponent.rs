use layout_algebra::prelude::*;

fn main() {
    let l = layout!((4, 1e3));
    println!("{} {}", l.size(), l.index(1));
}
