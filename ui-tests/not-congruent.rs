use layout_algebra::prelude::*;

fn pair<S: Congruent<D>, D>(_: S, _: D) {}

fn main() {
    pair(shape!((4, (2, 3))), (1, 4));
}
