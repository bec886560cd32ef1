use layout_algebra::prelude::*;

fn main() {
    layout!((4, 8):(1, --4));
}
