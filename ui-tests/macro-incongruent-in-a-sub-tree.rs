use layout_algebra::prelude::*;

fn main() {
    let l = layout!((4, (2, 3)):(1, (4, 8, 16)));
    println!("{} {}", l.size(), l.index(1));
}
