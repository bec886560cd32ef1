use layout_algebra::{atom::*, prelude::*};

fn main() {
    let (a, mut b) = (Tensor::fixed([1; 4], layout!(4)), Tensor::fixed([0; 4], layout!(4)));
    copy(&4, &a, &mut b).unwrap();
}
