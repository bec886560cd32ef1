use layout_algebra::prelude::*;

fn main() {
    let l = layout!((1, 2, 3, 4, 5, 6, 7, 8, 9));
    println!("{} {}", l.size(), l.index(1));
}
