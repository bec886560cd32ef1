use layout_algebra::prelude::*;

fn find<C: WeaklyCongruent<S>, S>(_: C, _: S) {}

fn main() {
    find((1, 2, 3), shape!((4, 6)));
}
