use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0u8; 8], shape!((2, 4)));
    println!("{} {}", t[(1, 1)], t.slice((1, ..)).layout());
}
