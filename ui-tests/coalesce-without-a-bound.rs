use layout_algebra::prelude::*;

fn modes<L: Layout>(l: L) -> usize {
    l.coalesce().rank()
}

fn main() {
    println!("{}", modes(layout!((4, 6))));
}
