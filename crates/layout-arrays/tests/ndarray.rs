//! Tensors and arrays of `ndarray`: the same elements at the same coordinates, both ways, and
//! nothing else; and the product by `matrixmultiply`.

use layout_algebra::prelude::*;
use layout_arrays::foreign::{
    AsTensor, AsTensorMut, MatrixMultiply, NdarrayTensor, NdarrayTensorMut, ToNdarray, ToNdarrayMut,
};
use layout_arrays::{ArrayError, HasAxes};
use ndarray::{ArrayD, ArrayView, Dimension as _, IxDyn, ShapeBuilder, Slice};
use proptest::prelude::*;

fn text<T: std::str::FromStr<Err = LayoutError>>(text: &str) -> T {
    text.parse().unwrap()
}

/// Arrays of one to four axes in either order, cut by slices that go forwards.
fn array() -> impl Strategy<Value = (Vec<usize>, bool, Vec<(usize, usize)>)> {
    proptest::collection::vec(0usize..5, 1..5).prop_flat_map(|extents| {
        let slices: Vec<_> = extents.iter().map(|&n| (0..=n, 1usize..3)).collect();
        (Just(extents), any::<bool>(), slices)
    })
}

/// Layouts of a few leaves, overlapping ones among them.
fn layout() -> impl Strategy<Value = DynLayout> {
    proptest::collection::vec((0usize..4, 0usize..9), 1..4).prop_map(|leaves| {
        let list = |of: fn(&(usize, usize)) -> usize| {
            let numbers: Vec<_> = leaves.iter().map(|leaf| of(leaf).to_string()).collect();
            format!("({})", numbers.join(","))
        };
        text(&format!("{}:{}", list(|leaf| leaf.0), list(|leaf| leaf.1)))
    })
}

proptest! {
    #[test]
    fn an_array_is_a_tensor((extents, columns, slices) in array()) {
        let size: usize = extents.iter().product();
        let shape = IxDyn(&extents).set_f(columns);
        let mut array = ArrayD::from_shape_vec(shape, (0..size).collect()).unwrap();
        let mut view = array.view_mut();
        for (axis, &(start, step)) in slices.iter().enumerate() {
            view.slice_axis_inplace(ndarray::Axis(axis), Slice::new(start as isize, None, step as isize));
        }
        let expected = view.to_owned();
        let t = view.as_typed_tensor().unwrap();
        prop_assert_eq!(t.size(), expected.len());
        for (coordinate, &element) in expected.indexed_iter() {
            let coordinate = DynShape::tuple(coordinate.as_array_view().iter().map(|&i| DynShape::from(i))).unwrap();
            prop_assert_eq!(t[&coordinate], element);
        }
        prop_assert_eq!(t.to_ndarray().unwrap(), expected.view());
        view.as_typed_tensor_mut().unwrap().transform(|x| x + 1000);
        prop_assert_eq!(view.view(), expected.mapv(|x| x + 1000));
        // What the slices leave out is as it was.
        prop_assert_eq!(array.iter().filter(|&&x| x >= 1000).count(), expected.len());
    }

    /// Axes that go either way: the same elements at the same coordinates, both ways, and nothing
    /// else.
    #[test]
    fn an_array_that_goes_backwards_is_a_tensor((extents, columns, slices) in array(), signs in any::<u32>()) {
        let size: usize = extents.iter().product();
        let shape = IxDyn(&extents).set_f(columns);
        let mut array = ArrayD::from_shape_vec(shape, (0..size).collect()).unwrap();
        let mut view = array.view_mut();
        for (axis, &(start, step)) in slices.iter().enumerate() {
            let step = if signs >> axis & 1 == 1 { -(step as isize) } else { step as isize };
            view.slice_axis_inplace(ndarray::Axis(axis), Slice::new(start as isize, None, step));
        }
        let expected = view.to_owned();
        let t = view.as_tensor();
        prop_assert_eq!(t.size(), expected.len());
        for (coordinate, &element) in expected.indexed_iter() {
            let coordinate = DynShape::tuple(coordinate.as_array_view().iter().map(|&i| DynShape::from(i))).unwrap();
            prop_assert_eq!(t[&coordinate], element);
            let place = view.iter().find(|&&x| x == element).unwrap();
            prop_assert_eq!(core::ptr::from_ref(&t[&coordinate]), core::ptr::from_ref(place));
        }
        prop_assert_eq!(t.to_ndarray().unwrap(), expected.view());
        let flipped = t.view().flip::<0>();
        let mut inverted = expected.view();
        inverted.invert_axis(ndarray::Axis(0));
        prop_assert_eq!(flipped.to_ndarray().unwrap(), inverted);
        let mut t = view.as_tensor_mut();
        t.transform(|x| x + 1000);
        t.view_mut().flip::<0>().to_ndarray_mut().unwrap().mapv_inplace(|x| x + 1000);
        prop_assert_eq!(view.view(), expected.mapv(|x| x + 2000));
        // What the slices leave out is as it was.
        prop_assert_eq!(array.iter().filter(|&&x| x >= 1000).count(), expected.len());
    }

    #[test]
    fn a_tensor_is_an_array(l in layout()) {
        let mut t = Tensor::new((0..l.cosize()).collect::<Vec<_>>(), l.clone()).unwrap();
        let view = t.to_ndarray().unwrap();
        prop_assert_eq!(view.len(), l.size());
        // The axes of an array of rank one or more run in the order of the leaves, and its
        // elements from the last axis on.
        let transposed: Vec<_> = view.t().iter().copied().collect();
        prop_assert_eq!(transposed, t.iter().copied().collect::<Vec<_>>());
        if let Ok(mut view) = t.to_ndarray_mut() {
            view.fill(usize::MAX);
            prop_assert!(t.iter().all(|&x| x == usize::MAX));
            prop_assert_eq!(t.into_storage().into_iter().filter(|&x| x == usize::MAX).count(), l.size());
        }
    }


}

/// The text of an error that was to come.
fn error<T>(result: Result<T, ArrayError>) -> String {
    result.err().map_or("no error".to_owned(), |error| error.to_string())
}

/// Flipped tensors in the types, as arrays and as factors of a product.
#[test]
fn flipped_tensors_in_other_libraries() {
    use ndarray::s;
    let data: Vec<f64> = (0..24).map(f64::from).collect();
    let t = Tensor::new(&data[..], layout!((4, (2, 3)):(6, (3, 1)))).unwrap();
    let array = t.to_ndarray().unwrap().into_dimensionality::<ndarray::Ix3>().unwrap();
    assert_eq!(
        t.view().flip::<0>().to_ndarray().unwrap(),
        array.slice(s![..;-1, .., ..]).into_dyn()
    );
    assert_eq!(
        t.view().flip::<1>().to_ndarray().unwrap(),
        array.slice(s![.., ..;-1, ..;-1]).into_dyn()
    );
    let part = t.view().flip::<0>();
    assert_eq!(
        part.slice((1..3, (.., 2))).to_ndarray().unwrap(),
        array.slice(s![1..3;-1, .., 2]).into_dyn()
    );
    let none = t.view().flip::<0>();
    assert_eq!(none.slice((4.., ..)).to_ndarray().unwrap().len(), 0);
    // At the right element, and not a copy.
    let (flipped, fortran) = (t.view().flip::<0>(), t.view().flip::<0>());
    assert_eq!(flipped.to_ndarray().unwrap().as_ptr(), core::ptr::from_ref(&data[18]));
    assert_eq!(
        fortran.to_ndarray().unwrap().as_tensor().to_ndarray().unwrap(),
        flipped.to_ndarray().unwrap()
    );

    let (a, b) = (
        Tensor::new(&data[..12], layout!((3, 4))).unwrap(),
        Tensor::new(&data[4..], layout!((4, 5): right)).unwrap(),
    );
    let (a, b) = (a.flip::<1>(), b.flip::<0>().flip::<1>());
    let mut c = Tensor::filled(layout!((3, 5):(-5, 1)), f64::NAN);
    c.matrixmultiply(1.0, &a, &b, 0.0).unwrap();
    assert!(
        (0..3).all(
            |i| (0..5).all(|j| c[(i, j)] == (0..4).map(|k| a[(i, k)] * b[(k, j)]).sum::<f64>())
        )
    );

    // What has no strides of its own is refused.
    let swizzled =
        Tensor::filled("Sw<1,0,2> o 0 o (8,8):(8,1)".parse::<DynComposedLayout>().unwrap(), 0);
    assert!(error(swizzled.to_ndarray()).contains("no stride for each axis"));
    // An array without axes has one element.
    assert_eq!(ndarray::arr0(7).as_tensor()[0], 7);
}

#[test]
fn what_cannot_be_is_refused_with_its_reason() {
    let array = ndarray::array![[0, 1, 2], [3, 4, 5]];
    let backwards = array.slice(ndarray::s![..;-1, ..]);
    assert_eq!(
        error(backwards.as_typed_tensor()),
        "axis 0 has the stride -3, and only axes that go forwards fit here"
    );
    let broadcast = Tensor::new(vec![1, 2], text::<DynLayout>("(3,2):(0,1)")).unwrap();
    assert_eq!(broadcast.to_ndarray().unwrap(), ndarray::array![[1, 2], [1, 2], [1, 2]].into_dyn());
    let mut broadcast = broadcast;
    assert!(error(broadcast.to_ndarray_mut()).contains("may share an element"));
}

#[test]
fn empty_arrays_and_extents_of_one_have_strides_of_no_meaning() {
    let empty: DynLayout = text(&format!("(0,5):({},7)", isize::MAX));
    let t = Tensor::new(Vec::<u8>::new(), empty).unwrap();
    assert_eq!(t.to_ndarray().unwrap().shape(), [0, 5]);
    let one = array_of_one();
    let one = ArrayView::from_shape((1, 3).strides((0, 1)), &one).unwrap();
    let backwards = one.slice(ndarray::s![..;-1, ..]);
    assert_eq!(backwards.as_typed_tensor().unwrap()[(0, 2)], 3);
    fn leaves<L: HasAxes>(_: &L) {}
    leaves(&layout!((2, 2)));
}

fn array_of_one() -> [i32; 3] {
    [1, 2, 3]
}

/// The product by matrixmultiply against three loops, in every order of the three matrices, and in
/// parts of larger ones.
#[test]
fn products_by_matrixmultiply() -> Result<(), ArrayError> {
    let (m, n, k) = (5, 7, 3);
    let layouts = |rows: usize, columns: usize| {
        let (one, apart) = (1, 2);
        [
            layout!((rows, columns):(one, rows)),
            layout!((rows, columns):(columns, one)),
            layout!((rows, columns):(one, rows + apart)),
            layout!((rows, columns):(apart * columns, apart)),
        ]
    };
    let numbers = |length: usize, seed: usize| {
        (0..length).map(|i| ((i * 7 + seed) % 13) as f64 - 6.0).collect::<Vec<_>>()
    };
    for (la, lb, lc) in layouts(m, k).into_iter().flat_map(|a| {
        layouts(k, n)
            .into_iter()
            .flat_map(move |b| layouts(m, n).into_iter().map(move |c| (a, b, c)))
    }) {
        let (a, b) =
            (Tensor::new(numbers(la.cosize(), 1), la)?, Tensor::new(numbers(lb.cosize(), 2), lb)?);
        for (alpha, beta) in [(1.0, 0.0), (2.0, -1.0)] {
            let before = Tensor::new(numbers(lc.cosize(), 3), lc)?;
            let mut expected = before.clone();
            expected.for_each_mut(|(i, j), x| {
                *x = alpha * (0..k).map(|p| a[(i, p)] * b[(p, j)]).sum::<f64>()
                    + if beta == 0.0 { 0.0 } else { beta * *x }
            });
            let mut c = before;
            c.matrixmultiply(alpha, &a, &b, beta)?;
            // What lies between the elements of C too.
            assert_eq!(c.into_storage(), expected.into_storage(), "{la} * {lb} = {lc}");
        }
    }
    Ok(())
}

#[test]
fn what_matrixmultiply_does_not_take_is_refused() {
    let a = Tensor::filled(layout!((2, 3)), 1.0_f32);
    let mut c = Tensor::filled(layout!((2, 2)), 1.0_f32);
    let error = c.matrixmultiply(1.0, &a, &a, 0.0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "matrices of the shapes (2, 3) and (2, 3) have no product of the shape (2, 2)"
    );
    let nested = Tensor::filled(layout!((2, (3, 1))), 1.0_f32);
    let rank = ArrayError::Rank { needed: 2, rank: 3 };
    assert_eq!(c.matrixmultiply(1.0, &nested, &a, 0.0), Err(rank));
    let broadcast = layout!((2, 2):(0, 1));
    let mut shared = Tensor::new(vec![1.0_f32; 2], broadcast).unwrap();
    let square = Tensor::filled(layout!((2, 2)), 1.0_f32);
    let overlap = shared.matrixmultiply(1.0, &square, &square, 0.0);
    assert!(matches!(overlap, Err(ArrayError::Overlap { .. })));
    assert_eq!((c.into_storage(), shared.into_storage()), (vec![1.0; 4], vec![1.0; 2]));
    // Nothing to add up: C is what `beta` leaves of it.
    let (none, k) = (Vec::<f32>::new(), 0);
    let (a, b) = (
        Tensor::new(&none[..], layout!((2, k))).unwrap(),
        Tensor::new(&none[..], layout!((k, 2))).unwrap(),
    );
    let mut c = Tensor::filled(layout!((2, 2)), 3.0_f32);
    c.matrixmultiply(1.0, &a, &b, 2.0).unwrap();
    assert_eq!(c.into_storage(), vec![6.0; 4]);
}
