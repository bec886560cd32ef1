use layout_algebra::prelude::*;

fn main() {
    layout!(4:2).complement(32i32);
}
