use layout_algebra::prelude::*;

fn main() {
    println!("{}", layout!((4, 6)).replace::<2, _>(layout!(8:1)).size());
}
