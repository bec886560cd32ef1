use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 24], layout!((4, 6)));
    let column = t.slice((.., 1, 2));
    println!("{}", column[0]);
}
