use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::filled(layout!((5, 7)), 1);
    t.ragged(Tensor::coordinates(identity(shape!((4, 4, 2)))));
}
