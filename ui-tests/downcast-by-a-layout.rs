use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8)).downcast(layout!(4:1));
}
