use layout_algebra::{atom::*, prelude::*};

fn main() {
    make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), layout!((4, 8)), layout!((1, 2))).unwrap();
}
