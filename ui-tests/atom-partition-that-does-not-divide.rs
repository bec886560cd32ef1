use layout_algebra::atom::{UniversalFma, make_tiled_mma};
use layout_algebra::prelude::*;

fn main() {
    let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((2, 2, 1)), tiler!(_, _, _));
    let t = Tensor::fixed([0; 9], layout!((3, 3)));
    println!("{}", mma.get_slice(0).unwrap().partition_a(&t).unwrap().size());
}
