use layout_algebra::prelude::*;

fn size<L: StaticLayout>(_: L) -> usize {
    L::SIZE
}

fn main() {
    let n = 6;
    size(layout!((4, n)));
}
