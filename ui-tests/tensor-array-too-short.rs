use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 23], layout!((4, 6):(1, 4)));
    t.iter().sum::<i32>();
}
