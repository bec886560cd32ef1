//! The modes of a slice are one tuple.

use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 24], layout!((4, 6)));
    let _ = t.slice(1, ..); // `t.slice((1, ..))`
}
