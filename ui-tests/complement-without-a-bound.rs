use layout_algebra::prelude::*;

fn rest<L: Layout>(l: L) -> usize {
    l.complement(int!(8)).size()
}

fn main() {
    println!("{}", rest(layout!(4:2)));
}
