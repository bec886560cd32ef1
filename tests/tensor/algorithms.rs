//! Algorithms on tensors, each against a plain loop.

use layout_algebra::prelude::*;
use layout_algebra::tensor::{Addressable, elem_less};
use proptest::prelude::*;

/// A tensor whose elements are small numbers that differ from neighbour to neighbour.
fn numbers<L: Addressable>(layout: L, seed: i64) -> Tensor<Vec<i64>, L> {
    let length = i64::try_from(layout.cosize()).unwrap();
    Tensor::new((0..length).map(|i| (i * 7 + seed * 3) % 11 - 5).collect(), layout).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases(32) as u32))]

    #[test]
    fn gemm_in_its_five_shapes(m in 1usize..7, n in 1usize..7, k in 1usize..7, v in 1usize..4) {
        let product = |a: i64, b: i64| a * b;

        let (a, b) = (numbers(layout!(m:2), 1), numbers(layout!(m:1), 2));
        let mut c = numbers(layout!(m:3), 3);
        let before = c.clone();
        c.gemm(&a, &b).unwrap();
        prop_assert!((0..m).all(|i| c[i] == before[i] + product(a[i], b[i])));

        let (a, b) = (numbers(layout!(m:2), 1), numbers(layout!(n:1), 2));
        let mut c = numbers(layout!((m, n): right), 3);
        let before = c.clone();
        c.gemm(&a, &b).unwrap();
        prop_assert!(c.indexed().all(|((i, j), &x)| x == before[(i, j)] + a[i] * b[j]));

        let (a, b) = (numbers(layout!((m, k): right), 1), numbers(layout!((n, k)), 2));
        let mut c = numbers(layout!((m, n)), 3);
        let before = c.clone();
        c.gemm(&a, &b).unwrap();
        let right = |i, j| before[(i, j)] + (0..k).map(|l| a[(i, l)] * b[(j, l)]).sum::<i64>();
        prop_assert!(c.indexed().all(|((i, j), &x)| x == right(i, j)));

        let (a, b) = (numbers(layout!((v, m)), 1), numbers(layout!((v, n)), 2));
        let mut c = numbers(layout!((v, m, n)), 3);
        let before = c.clone();
        c.gemm(&a, &b).unwrap();
        prop_assert!(c.indexed().all(|((e, i, j), &x)| x == before[(e, i, j)] + a[(e, i)] * b[(e, j)]));

        let (a, b) = (numbers(layout!((v, m, k)), 1), numbers(layout!((v, n, k): right), 2));
        let mut c = numbers(layout!((v, m, n)), 3);
        let before = c.clone();
        c.gemm(&a, &b).unwrap();
        let sum = |e, i, j| (0..k).map(|l| a[(e, i, l)] * b[(e, j, l)]).sum::<i64>();
        prop_assert!(c.indexed().all(|((e, i, j), &x)| x == before[(e, i, j)] + sum(e, i, j)));

        // A factor of another size is refused, and nothing is written.
        let longer = n + 1;
        let b = numbers(layout!((v, longer, k)), 2);
        let before = c.clone();
        prop_assert_eq!(c.gemm(&a, &b).unwrap_err().kind().as_str(), "profile");
        prop_assert!(c.iter().eq(before.iter()));
    }

    /// The tiles of a rounded-up identity say which elements are there: each of the matrix exactly
    /// once.
    #[test]
    fn predicates_of_ragged_tiles_name_each_element_once(m in 1usize..40, n in 1usize..40) {
        let tiles = identity((m, n)).round_up(tiler!(8, 4)).zipped_divide(tiler!(8, 4));
        let mut seen = vec![0; m * n];
        for coordinate in tiles.coords() {
            let (i, j) = tiles.locate(coordinate);
            if elem_less((i, j), (m, n)) {
                seen[i * n + j] += 1;
            }
        }
        prop_assert!(seen.iter().all(|&times| times == 1));
    }
}

#[test]
fn nested_modes_multiply_as_their_sizes() {
    let a = numbers(layout!(((2, 2), (3, 1))), 1);
    let b = numbers(layout!((5, 3): right), 2);
    let mut c = Tensor::filled(layout!((4, 5)), 0);
    c.gemm(&a, &b).unwrap();
    assert!(
        c.indexed().all(|((i, j), &x)| x == (0..3).map(|l| a[(i, l)] * b[(j, l)]).sum::<i64>())
    );
}

#[test]
fn a_predicate_keeps_what_it_does_not_name() {
    let (source, mut t) =
        (numbers(layout!((4, 6): right), 1), Tensor::filled(layout!((4, 6)), 100));
    t.copy_if(&source, |(i, j)| elem_less((i, j), (3, 5))).unwrap();
    assert!(t.indexed().all(|((i, j), &x)| x == if i < 3 && j < 5 { source[(i, j)] } else { 100 }));
    let other = numbers(layout!((4, 5)), 1);
    assert_eq!(t.copy_if(&other, |_| true).unwrap_err().kind().as_str(), "profile");
    t.clear();
    assert!(t.iter().all(|&x| x == 0));
}

#[test]
fn a_broadcast_is_read_but_not_dealt_out() {
    // One row for all: stride 0.
    let row = Tensor::fixed([1, 2, 3], layout!((4, 3):(0, 1)));
    let mut t = Tensor::filled(layout!((4, 3): right), 10);
    t.axpby(1, &row, 2).unwrap();
    assert_eq!(t.into_storage(), [21, 22, 23, 21, 22, 23, 21, 22, 23, 21, 22, 23]);
}
