//! Example 4 on large matrices, optimised, where it takes a second: the example itself compares
//! them with matrixmultiply's. Small ones are in the test `atom`.

use crate::{released, root};

pub fn large_ragged_sizes() {
    let example = root().join("examples/04_tiled_product.rs");
    let target = format!("[[bin]]\nname = \"tiled_product\"\npath = {example:?}");
    for [m, n, k] in [["1000", "777", "513"], ["640", "512", "96"]] {
        let output = released::cargo("tiled_product", &target, &["run", "--", m, n, k]);
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{m} x {n} x {k}: {out}{err}");
        assert!(out.contains("matrixmultiply's: 0 of"), "{out}");
    }
}
