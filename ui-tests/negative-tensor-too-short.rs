//! Moved by its base, the layout reaches 24 elements.

use layout_algebra::prelude::*;

fn main() {
    Tensor::fixed([0; 23], layout!((4, 6):(-1, 4)));
}
