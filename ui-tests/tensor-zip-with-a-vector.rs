use layout_algebra::prelude::*;

fn main() {
    let a = Tensor::fixed([0; 24], layout!((4, 6)));
    let b = Tensor::fixed([0; 24], layout!(24));
    println!("{}", a.zip(&b).unwrap().count());
}
