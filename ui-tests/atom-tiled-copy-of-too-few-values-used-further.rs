use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
use layout_algebra::prelude::*;

fn main() {
    let copy = make_tiled_copy(UniversalCopy::<i32, Int<4>>::new(), layout!((4, 1)), layout!((1, 6))).unwrap();
    let t = Tensor::fixed([0; 48], layout!((4, 12)));
    println!("{}", copy.get_slice(0).unwrap().partition_s(&t).unwrap().size());
}
