use layout_algebra::prelude::*;

fn tiled<A: Compose<Layout!(3:2)>>(a: A) -> usize {
    a.compose(layout!(3:2)).size()
}

fn main() {
    tiled(layout!((4, 6):(1, 8)));
}
