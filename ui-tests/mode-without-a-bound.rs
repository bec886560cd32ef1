use layout_algebra::prelude::*;

fn rows<L: Layout>(l: L) -> usize {
    l.mode::<0>().size()
}

fn main() {
    println!("{}", rows(layout!((4, 6))));
}
