use layout_algebra::prelude::*;

fn refine<S: Compatible<T>, T>(_: S, _: T) {}

fn main() {
    refine(shape!((4, 6)), shape!((4, (2, 4))));
}
