use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 24], layout!((4, 6)));
    let tile = t.local_tile((2, 3), (0, 1)).unwrap();
    println!("{}", tile[(0, 0)]);
}
