use layout_algebra::prelude::*;

fn main() {
    let identity = identity((4, "6"));
    println!("{}", identity.size());
}
