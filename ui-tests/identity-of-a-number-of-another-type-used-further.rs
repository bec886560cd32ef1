use layout_algebra::prelude::*;

fn main() {
    let i = identity(4i32);
    println!("{}", i.size());
}
