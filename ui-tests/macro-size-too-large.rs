use layout_algebra::prelude::*;

fn main() {
    let l = layout!((4294967296, 4294967296));
    println!("{} {}", l.size(), l.index(1));
}
