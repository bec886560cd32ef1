//! The tiled product of example 4 against matrixmultiply, the whole matrix: ragged in M, N and
//! K, smaller than a tile, empty.

#[path = "../../examples/04_tiled_product.rs"]
#[allow(clippy::module_inception, reason = "the example of this name")]
mod tiled_product;

use tiled_product::{expected, matrix, product};

fn check(size @ [m, n, k]: [usize; 3], scale: (f32, f32)) {
    let (a, b) = (matrix(m * k, 1), matrix(k * n, 2));
    let mut c = matrix(m * n, 3);
    let mut peer = c.clone();
    product(size, scale, &a, &b, &mut c).unwrap();
    expected(size, scale, &a, &b, &mut peer);
    assert!(c == peer, "{size:?}");
}

#[test]
fn ragged_sizes() {
    for size in [[128, 128, 8], [130, 129, 9], [1, 1, 1], [127, 255, 7], [257, 3, 17]] {
        check(size, (1.0, 1.0));
        check(size, (2.0, 0.0));
    }
    check([5, 4, 0], (1.0, 1.0));
    check([0, 4, 3], (1.0, 1.0));
}

#[test]
fn a_matrix_too_short() {
    let error =
        product([128, 128, 8], (1.0, 0.0), &[0.0; 1024], &[0.0; 1023], &mut [0.0; 128 * 128])
            .unwrap_err();
    assert_eq!(error.kind().as_str(), "bounds");
}
