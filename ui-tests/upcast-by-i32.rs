use layout_algebra::prelude::*;

fn main() {
    layout!((32, 8)).upcast(4i32);
}
