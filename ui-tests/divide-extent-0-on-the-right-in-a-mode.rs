use layout_algebra::prelude::*;

type L = StridedLayout<(Int<5>, (Int<0>, Int<4>)), (Int<1>, (Int<5>, Int<2>))>;

fn main() {
    println!("{}", L::default().logical_divide(tiler!(_, 1:0)).size());
}
