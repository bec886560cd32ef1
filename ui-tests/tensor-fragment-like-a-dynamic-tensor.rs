use layout_algebra::prelude::*;

fn main() {
    let n = 4;
    let t = Tensor::new(vec![0u8; 8], layout!((2, n))).unwrap();
    let mut fragment = t.fragment_like::<i32>();
    fragment.fill(1);
    println!("{}", fragment[(1, 2)]);
}
