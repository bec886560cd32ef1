//! One vocabulary for coordinates: `(i, j)`, `[i, j]`, numbers and nested tuples mean the same to
//! static, mixed and dynamic layouts and to tensors under each.

use layout_algebra::prelude::*;
use layout_algebra::tensor::Addressable;

/// Each way to write the coordinate `(3, (1, 2))` of the shape `(4, (2, 3))`, on a layout and a
/// tensor under it.
macro_rules! check {
    ($layout:expr) => {{
        let layout = $layout;
        let t = Tensor::new((0..layout.reach().unwrap()).collect::<Vec<_>>(), layout.clone()).unwrap();
        let nested: DynShape = "(3,(1,2))".parse().unwrap();
        let wanted = layout.at(3 + 4 * 1 + 8 * 2);
        check!(layout t wanted: 23, (3, 5), [3, 5], (3, (1, 2)), (3, [1, 2]), (int!(3), 5), (int!(3), (int!(1), 2)));
        // What lies outside, in each form.
        assert!(t.get(24).is_none() && t.get((4, 0)).is_none() && t.get([0, 6]).is_none());
        assert!(t.get((0, (2, 0))).is_none() && t.get((0, [0, 3])).is_none());
        // Slices and tile numbers.
        assert_eq!(t.slice((3, ..))[5], wanted);
        assert_eq!(t.slice((.., 5))[3], wanted);
        assert_eq!(t.slice((.., (1, 2)))[3], wanted);
        assert_eq!(t.slice((.., [1, 2]))[3], wanted);
        assert_eq!(*t.slice((3, (1, ..))).iter().last().unwrap(), wanted);
        assert_eq!(*t.slice([3, 5]).iter().next().unwrap(), wanted);
        assert_eq!(t.local_tile(tiler!(2, 2), (1, 2)).unwrap()[(1, 1)], wanted);
        assert_eq!(t.local_tile(tiler!(2, 2), [1, 2]).unwrap()[[1, 1]], wanted);
        assert_eq!(t.local_tile(tiler!(2, 2), 5).unwrap()[3], wanted);
        nested
    }};
    ($layout:ident $t:ident $wanted:ident: $($coordinate:expr),*) => {
        $(
            assert_eq!($layout.index($coordinate), $wanted, stringify!($coordinate));
            assert_eq!($t[$coordinate], $wanted, stringify!($coordinate));
            assert_eq!($t.get($coordinate), Some(&$wanted), stringify!($coordinate));
        )*
    };
}

#[test]
fn every_kind_of_layout_takes_every_coordinate() {
    let (m, n) = (4, 3);
    check!(layout!((4, (2, 3)):(6, (3, 1))));
    check!(layout!((m, (2, n)):(6, (3, 1))));
    check!(layout!((4, (2, n)):(1, (12, 4))));
    let dynamic: DynLayout = "(4,(2,3)):(6,(3,1))".parse().unwrap();
    let nested = check!(dynamic.clone());
    assert_eq!(dynamic.index(&nested), 23);
    check!(Swizzle::<1, 0, 2>::new().compose(layout!((4, (2, 3)):(6, (3, 1)))));
    let swizzled: DynComposedLayout = "Sw<1,0,2> o 0 o (4,(2,3)):(6,(3,1))".parse().unwrap();
    check!(swizzled);
}

#[test]
fn dynamic_layouts_are_sliced_as_static_ones() {
    let (fixed, dynamic) =
        (layout!((4, (2, 3)):(6, (3, 1))), "(4,(2,3)):(6,(3,1))".parse::<DynLayout>().unwrap());
    let (kept, offset) = fixed.slice((1, (.., 2)));
    assert_eq!(dynamic.slice((1, (.., 2))).unwrap(), (DynLayout::from(kept), offset));
    assert_eq!(dynamic.slice([1, 5]).unwrap().1, fixed.slice([1, 5]).1);
    assert_eq!(dynamic.slice(&"(1,(_,2))".parse().unwrap()).unwrap().1, offset);
    assert_eq!(dynamic.slice((1, 2, 3)).unwrap_err().kind(), ErrorKind::Profile);
    assert_eq!(dynamic.try_index((1, 2, 3)).unwrap_err().kind(), ErrorKind::Profile);
    assert_eq!(dynamic.try_index((1, (2, 3, 4))).unwrap_err().kind(), ErrorKind::Profile);
    assert_eq!(dynamic.try_index((usize::MAX, (1, 1))).unwrap_err().kind(), ErrorKind::Overflow);
    assert_eq!(dynamic.try_index([[1, 2], [3, 4]]).unwrap_err().kind(), ErrorKind::Profile);
}

#[test]
fn numbers_of_coordinates_are_taken_in_every_form() {
    let (shape, dynamic) = (shape!((4, (2, 3))), "(4,(2,3))".parse::<DynShape>().unwrap());
    assert_eq!(
        [crd2idx((3, 5), shape), crd2idx([3, 5], shape), crd2idx((3, [1, 2]), shape)],
        [23; 3]
    );
    assert_eq!([dynamic.number((3, 5)).unwrap(), dynamic.number([3, 5]).unwrap()], [23; 2]);
    assert_eq!(dynamic.number((3, (1, 2))).unwrap(), 23);
    assert_eq!((idx2crd(23, [4, 6]), idx2crd(23, (4, [2, 3]))), ((3, 5), (3, (1, 2))));
    assert_eq!(crd2crd([3, 5], [4, 6], shape), (3, (1, 2)));
    assert_eq!(identity((4, 6)).index([3, 5]), (3, 5));
}
