use layout_algebra::prelude::*;

fn tile<A: Layout>(a: A) -> usize {
    a.compose(int!(4)).size()
}

fn main() {
    println!("{}", tile(layout!((4, 6))));
}
