use layout_algebra::prelude::*;

type T = ZippedDivision<Layout!((128, 100)), Tiler!(32, 32)>;

fn main() {
    println!("{}", T::SIZE);
}
