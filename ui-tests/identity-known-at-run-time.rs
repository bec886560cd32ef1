//! The strides of an identity layout are steps along axes.

use layout_algebra::prelude::*;

fn main() {
    identity(shape!((4, 6))).to_dynamic();
}
