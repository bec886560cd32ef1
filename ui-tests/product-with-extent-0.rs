use layout_algebra::prelude::*;

type T = StridedLayout<Int<0>, Int<1>>;

fn main() {
    println!("{}", layout!((2, 2):(1, 6)).logical_product(T::default()).size());
}
