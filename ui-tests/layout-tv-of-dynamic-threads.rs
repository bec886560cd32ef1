use layout_algebra::{prelude::*, tensor::make_layout_tv};

fn main() {
    let n = 8;
    make_layout_tv(layout!((4, n)), layout!((2, 2))).unwrap();
}
