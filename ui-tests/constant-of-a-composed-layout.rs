use layout_algebra::prelude::*;

fn main() {
    println!("{}", <ComposedLayout<Swizzle<1, 0, 2>, Int<0>, Layout!((8, _))>>::COSIZE);
}
