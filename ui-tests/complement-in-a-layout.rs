use layout_algebra::prelude::*;

fn main() {
    layout!(4:2).complement(layout!(32:1));
}
