use layout_algebra::prelude::*;

fn main() {
    println!("{}", DynLayout::new("(4,6)", (1, 4)).unwrap());
}
