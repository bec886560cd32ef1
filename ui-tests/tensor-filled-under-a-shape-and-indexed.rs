use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::filled(shape!((4, 6)), 0);
    println!("{} {}", t[(1, 1)], t.slice((1, ..)).size());
}
