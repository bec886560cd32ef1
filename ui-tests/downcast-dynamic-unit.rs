use layout_algebra::prelude::*;

fn main() {
    let parts = 4;
    layout!((8, 8)).downcast(parts);
}
