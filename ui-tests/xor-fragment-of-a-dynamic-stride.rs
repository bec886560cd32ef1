//! A fragment has a static layout.

use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;

fn main() {
    Fragment::<f32, Layout!((4, 4):(^1, ^_))>::zeroed();
}
