use layout_algebra::prelude::*;

fn main() {
    let n = 6;
    let l = layout!((4, n +):(1, 4));
    println!("{} {}", l.size(), l.index(1));
}
