use layout_algebra::prelude::*;

fn main() {
    let swizzle = Swizzle::<3, 3, 3>::new();
    let composed = ComposedLayout::new(swizzle, int!(4), layout!((8, 64):(64, 1)));
    composed.recast(shape!((8, 64)));
}
