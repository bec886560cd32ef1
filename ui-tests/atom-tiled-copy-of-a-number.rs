use layout_algebra::{atom::*, prelude::*};

fn main() {
    make_tiled_copy(4, layout!((4, 8)), layout!((1, 2))).unwrap();
}
