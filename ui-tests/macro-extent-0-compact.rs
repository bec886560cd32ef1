use layout_algebra::prelude::*;

fn main() {
    let l = layout!((4, (2, 0)));
    println!("{} {}", l.size(), l.index(1));
}
