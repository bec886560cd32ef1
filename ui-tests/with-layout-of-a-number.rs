use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 24], layout!((4, 6)));
    println!("{}", t.with_layout(24).unwrap().size());
}
