use layout_algebra::prelude::*;

type L = StridedLayout<(Int<0>, Int<4>), (Int<1>, Int<2>)>;

fn main() {
    println!("{}", L::default().logical_divide(layout!(2:2)).size());
}
