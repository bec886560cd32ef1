use layout_algebra::prelude::*;

fn main() {
    let once = Swizzle::<2, 0, 3>::new().compose(layout!((8, 8)));
    let twice = Swizzle::<1, 0, 3>::new().compose(once);
    println!("{}", Tensor::new([0; 64], twice).unwrap()[(1, 2)]);
}
