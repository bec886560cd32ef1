use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed(5, layout!((2, 4)));
    println!("{} {}", t[(1, 1)], t.slice((1, ..)).layout());
}
