//! How far 3 steps of an XOR stride reach is no sum of bits.

use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;

fn main() {
    Fragment::<f32, Layout!((4, 3):(^1, ^12))>::zeroed();
}
