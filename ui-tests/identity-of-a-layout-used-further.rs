use layout_algebra::prelude::*;

fn main() {
    let i = identity(layout!((4, 6)));
    println!("{}", i.size());
}
