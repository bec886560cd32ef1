use layout_algebra::prelude::*;

fn main() {
    let _ = Swizzle::<3, 4, 2>::new();
}
