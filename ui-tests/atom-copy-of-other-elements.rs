use layout_algebra::atom::{UniversalCopy, copy};
use layout_algebra::prelude::*;

fn main() {
    let a = Tensor::fixed([0i32; 24], layout!(24));
    let mut b = Tensor::fixed([0i32; 24], layout!(24));
    copy(&UniversalCopy::<f32>::new(), &a, &mut b).unwrap();
}
