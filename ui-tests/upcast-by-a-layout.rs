use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8)).upcast(layout!(4:1));
}
