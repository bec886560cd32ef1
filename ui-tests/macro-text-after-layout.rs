use layout_algebra::prelude::*;

fn main() {
    let l = layout!((4, 6):(1, 4) right);
    println!("{} {}", l.size(), l.index(1));
}
