use layout_algebra::prelude::*;

fn main() {
    let swizzle = DynSwizzle::new(3, 3, 3).unwrap();
    let layout = ComposedLayout::new(swizzle, 0, layout!((8, 64):(64, 1)));
    println!("{}", Tensor::fixed([0; 512], layout).size());
}
