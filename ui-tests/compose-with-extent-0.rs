use layout_algebra::prelude::*;

type L = StridedLayout<Int<0>, Int<1>>;

fn main() {
    println!("{}", layout!((4, 6)).compose(L::default()).size());
}
