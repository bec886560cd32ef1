//! The programs of the dictionary that use `ndarray`, so that the crate's examples do not depend on
//! it. `pages` compares them with the page.

#[test]
fn the_table_as_a_program() {
    use layout_algebra::prelude::*;
    use ndarray::{Array2, Axis, ShapeBuilder, Zip, s};

    let numbers: Vec<i32> = (0..24).collect();
    let a = Array2::from_shape_vec((4, 6), numbers.clone()).unwrap();
    let mut t = Tensor::new(numbers.clone(), layout!((4, 6): right)).unwrap();
    assert_eq!((t[(1, 2)], t.get((4, 0))), (a[[1, 2]], a.get([4, 0])));

    // Iteration goes down the columns here, and along the rows there: `t()` turns it.
    let f = Array2::from_shape_vec((4, 6).f(), numbers.clone()).unwrap();
    assert!(Tensor::new(numbers, layout!((4, 6): left)).unwrap().iter().eq(f.t().iter()));
    assert!(t.slice((1, 2..5)).iter().eq(a.slice(s![1, 2..5]).iter()));
    assert!(t.window((1, 2), (2, 3)).iter().eq(a.slice(s![1..3, 2..5]).t().iter()));
    assert!(t.view().compose(tiler!(_, 3:2)).iter().eq(a.slice(s![.., ..;2]).t().iter()));

    assert_eq!(t.tiles(tiler!(2, 3)).count(), a.exact_chunks((2, 3)).into_iter().count());
    assert_eq!(a.exact_chunks((2, 4)).into_iter().count(), 2); // 16 of 24 elements
    let windows = layout!(((2, 4), (3, 3)):((6, 1), (6, 1)));
    assert!(
        a.windows((3, 3)).into_iter().zip(0..8).all(|(window, k)| {
            window[[1, 2]] as usize == windows.index(((k / 4, k % 4), (1, 2)))
        })
    );
    assert_eq!(a.row(0).broadcast((4, 6)).unwrap().strides(), [0, 1]);
    assert_eq!(Array2::<i32>::zeros((2, 1)).strides(), [1, 1]); // here `(2,1):(1,0)`

    let mut sum = 0;
    Zip::from(&a).and(&f).for_each(|x, y| sum += x * y);
    let u = Tensor::new(f.t().iter().copied().collect::<Vec<_>>(), layout!((4, 6))).unwrap();
    assert_eq!(t.zip(&u).unwrap().fold(0, |sum, (x, y)| sum + x * y), sum);
    let mut b = a.clone();
    let (left, _) = b.view_mut().split_at(Axis(1), 2);
    assert!(t.split_at_mut::<1>(2).0.iter().eq(left.t().iter()));
}

#[test]
fn what_remains_is_left_out() {
    let array = ndarray::Array2::<i32>::zeros((4, 6));
    assert_eq!(array.exact_chunks((2, 4)).into_iter().count(), 2); // 16 of 24 elements
}

#[test]
fn the_last_mode_is_the_fastest() {
    let array = ndarray::Array2::from_shape_vec((2, 3), vec![0, 1, 2, 3, 4, 5]).unwrap();
    assert_eq!(array.iter().nth(1), Some(&array[[0, 1]]));
}
