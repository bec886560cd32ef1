use layout_algebra::prelude::*;

fn main() {
    let data = [0; 24];
    let mut t = Tensor::new(&data[..], layout!((4, 6))).unwrap();
    t.fill(1);
}
