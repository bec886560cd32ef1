use layout_algebra::prelude::*;

type T = StridedLayout<Int<0>, Int<1>>;

fn main() {
    println!("{}", layout!((4, 6)).logical_divide(Tiler::new((Keep, T::default()))).size());
}
