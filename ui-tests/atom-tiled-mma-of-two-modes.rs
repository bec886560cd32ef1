use layout_algebra::atom::{UniversalFma, make_tiled_mma};
use layout_algebra::prelude::*;

fn main() {
    let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((2, 2)), tiler!(_, _, _));
    println!("{}", mma.size());
}
