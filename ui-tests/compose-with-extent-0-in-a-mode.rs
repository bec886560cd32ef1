use layout_algebra::prelude::*;

type T = StridedLayout<Int<0>, Int<1>>;

fn main() {
    println!("{}", layout!((4, 2):(100, 1)).compose(Tiler::new((Keep, T::default()))).size());
}
