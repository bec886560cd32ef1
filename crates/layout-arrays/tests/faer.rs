//! Matrices of faer as tensors, and tensors as matrices: the same elements at the same coordinates,
//! both ways, nothing else, and no panic where there is no matrix.
//!
//! A program of its own with a feature, for faer takes longer to compile than all else that the
//! tests use: `cargo test -p layout-arrays --features faer --test faer`.

use layout_algebra::prelude::*;
use layout_arrays::ArrayError;
use layout_arrays::foreign::{AsTensor, AsTensorMut, ToFaer, ToFaerMut};
use proptest::prelude::*;

proptest! {
    #[test]
    fn a_matrix_is_a_tensor(rows in 0usize..6, columns in 0usize..6, transpose in any::<bool>()) {
        let mut matrix = faer::Mat::from_fn(rows, columns, |i, j| 10 * i + j);
        let view = if transpose { matrix.transpose() } else { matrix.as_ref() };
        let t = view.as_tensor();
        for i in 0..view.nrows() {
            for j in 0..view.ncols() {
                prop_assert_eq!((t[(i, j)], t.to_faer().unwrap()[(i, j)]), (view[(i, j)], view[(i, j)]));
            }
        }
        prop_assert_eq!(t.get((view.nrows(), 0)), None);
        let mut t = matrix.as_tensor_mut();
        t.for_each_mut(|c, x| *x = c.leaves()[0] + 10 * c.leaves()[1]);
        t.to_faer_mut().unwrap().row_iter_mut().for_each(|row| row.iter_mut().for_each(|x| *x += 1));
        prop_assert!((0..rows).all(|i| (0..columns).all(|j| matrix[(i, j)] == i + 10 * j + 1)));
    }
}

proptest! {
    /// Rows and columns that go either way.
    #[test]
    fn a_matrix_that_goes_backwards_is_a_tensor(rows in 0usize..6, columns in 0usize..6, turns in 0u32..8) {
        let mut matrix = faer::Mat::from_fn(rows, columns, |i, j| 10 * i + j);
        let mut view = matrix.as_mut();
        view = if turns & 1 == 1 { view.transpose_mut() } else { view };
        view = if turns & 2 == 2 { view.reverse_rows_mut() } else { view };
        view = if turns & 4 == 4 { view.reverse_cols_mut() } else { view };
        let expected = faer::Mat::from_fn(view.nrows(), view.ncols(), |i, j| view[(i, j)]);
        let t = view.as_tensor();
        prop_assert_eq!(t.size(), rows * columns);
        let flipped = t.view().flip::<0>();
        for (i, j) in (0..view.nrows()).flat_map(|i| (0..view.ncols()).map(move |j| (i, j))) {
            prop_assert_eq!((t[(i, j)], t.to_faer().unwrap()[(i, j)]), (expected[(i, j)], expected[(i, j)]));
            prop_assert_eq!(flipped.to_faer().unwrap()[(i, j)], expected[(view.nrows() - 1 - i, j)]);
            prop_assert_eq!(core::ptr::from_ref(&t[(i, j)]), core::ptr::from_ref(&view[(i, j)]));
        }
        let mut t = view.as_tensor_mut();
        t.transform(|x| x + 1000);
        let mut mirrored = t.view_mut().flip::<1>();
        mirrored.to_faer_mut().unwrap().row_iter_mut().for_each(|row| row.iter_mut().for_each(|x| *x += 1000));
        prop_assert!((0..rows).all(|i| (0..columns).all(|j| matrix[(i, j)] == 2000 + 10 * i + j)));
    }
}

/// The text of an error that was to come.
fn error<T>(result: Result<T, ArrayError>) -> String {
    result.err().map_or("no error".to_owned(), |error| error.to_string())
}

#[test]
fn what_cannot_be_is_refused_with_its_reason() {
    let mut broadcast =
        Tensor::new(vec![1, 2], "(3,2):(0,1)".parse::<DynLayout>().unwrap()).unwrap();
    assert_eq!(broadcast.to_faer().unwrap().nrows(), 3);
    assert!(error(broadcast.to_faer_mut()).contains("may share an element"));
    let cube = Tensor::filled(layout!((2, 2, 2)), 0);
    assert!(error(cube.to_faer()).ends_with("2 axes are needed, and there are 3"));
}

/// 33 leaves are more than a view has room for: an error, not a panic.
#[test]
fn many_leaves_are_an_error() {
    for leaves in [16, 17, 32, 33, 40, 64] {
        let list = |number: &str| vec![number; leaves].join(",");
        let layout: DynLayout = format!("({}):({})", list("1"), list("0")).parse().unwrap();
        let mut t = Tensor::new(vec![1u8; 1], layout).unwrap();
        assert!(t.to_faer().is_err() && t.to_faer_mut().is_err(), "{leaves} axes are no matrix");
    }
}

#[test]
fn matrices_of_none_and_of_one() {
    for (m, n) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let mut matrix = faer::Mat::<f32>::zeros(m, n);
        assert_eq!(matrix.as_tensor().iter().count(), m * n);
        let mut t = matrix.as_tensor_mut();
        t.fill(1.0);
        let back = t.to_faer_mut().unwrap();
        assert_eq!((back.nrows(), back.ncols()), (m, n));
        assert_eq!(t.try_tiles_mut(tiler!(1, 1)).unwrap().take(9).count(), m * n);
        assert!((0..m * n).all(|_| matrix[(0, 0)] == 1.0));
    }
}

/// Layouts that hold nothing and layouts of ones, in every order, with strides that nothing is
/// reached by.
#[test]
fn tensors_of_none_and_of_one() {
    let mut matrices = 0;
    for (a, b) in (0..9).map(|i| (i % 3, i / 3)) {
        for form in [
            "a:1",
            "(a):(1)",
            "(a,b):(1,2)",
            "(a,b):(9,1)",
            "(a,b):(0,z)",
            "((a,b),1):((1,2),4)",
            "(a,b,1):(1,z,3)",
        ] {
            let text = form.replace('a', &a.to_string()).replace('b', &b.to_string());
            let Ok(layout) = text.replace('z', &usize::MAX.to_string()).parse::<DynLayout>() else {
                continue;
            };
            let shape = (layout.rank() == 2)
                .then(|| (layout.mode(0).unwrap().size(), layout.mode(1).unwrap().size()));
            let Ok(mut t) = Tensor::new(vec![5u8; 64], layout) else { continue };
            if let Ok(view) = t.to_faer() {
                assert_eq!(Some((view.nrows(), view.ncols())), shape, "{text}");
                matrices += 1;
            }
            // Overlapping elements are refused, and nothing else that can be read.
            assert!(t.to_faer_mut().is_err() || t.to_faer().is_ok(), "{text}");
        }
    }
    assert!(matrices > 20, "{matrices} matrices");
    macro_rules! typed {
        ($($layout:tt)*) => {{
            let mut t = Tensor::new(vec![5u8; 64], layout!($($layout)*)).unwrap();
            (t.to_faer().is_ok(), t.to_faer_mut().is_ok())
        }};
    }
    let none = 0;
    assert_eq!(typed!((none, 4)), (true, true));
    assert_eq!(typed!((1, 1)), (true, true));
    assert_eq!(typed!((4, 6): right), (true, true));
    assert_eq!(typed!((4, 6):(0, 1)), (true, false));
    assert_eq!(typed!((2, 2, 2)), (false, false));
}
