use layout_algebra::prelude::*;
fn main() {
    let a = layout!((((2, 2, 2), (2, 2, 2)), (2, 2, 2)):(((256, 64, 16), (4, 1, 128)), (32, 8, 2)));
    a.max_common_layout(a);
}
