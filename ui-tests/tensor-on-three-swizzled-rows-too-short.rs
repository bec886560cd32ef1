use layout_algebra::prelude::*;

fn main() {
    // 3 rows of 64 are no whole block of 512, but whole blocks of the 64 that the swizzle moves among themselves.
    Tensor::fixed([0; 191], Swizzle::<3, 3, 3>::new().compose(layout!((3, 64):(64, 1))));
}
