use layout_algebra::prelude::*;

fn size<L: Layout>(l: L) -> usize {
    l.size()
}

fn main() {
    size((4, 6));
}
