use layout_algebra::prelude::*;

fn main() {
    let (t, i) = (Tensor::fixed([0; 24], layout!((4, 6))), 1u64);
    println!("{}", t.slice((.., i)).size());
}
