use layout_algebra::prelude::*;

fn main() {
    // 60 offsets lie in one block of the 64 that the swizzle moves among themselves.
    Tensor::fixed([0; 60], Swizzle::<3, 3, 3>::new().compose(layout!(60:1)));
}
