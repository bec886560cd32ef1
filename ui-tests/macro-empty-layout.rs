use layout_algebra::prelude::*;

fn main() {
    let l = layout!();
    println!("{} {}", l.size(), l.index(1));
}
