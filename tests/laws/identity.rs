//! Identity layouts: they map coordinates to themselves, and go through the algebra like any other layout.

use layout_algebra::prelude::*;
use proptest::prelude::*;

/// `(identity(S) o B)(c)` against `B(c)` read as a coordinate of `S`.
macro_rules! composes_as_coordinates {
    ($($shape:expr, $right:expr;)*) => {$({
        let (shape, right) = (shape!($shape), $right);
        let composed = identity(shape).compose(right);
        for i in 0..right.size() {
            assert_eq!(composed.at(i), idx2crd(right.at(i), shape), "coordinate {i} of {composed}");
        }
    })*};
}

#[test]
fn composition_gives_the_coordinates_of_the_right_offsets() {
    composes_as_coordinates! {
        (8, 4), layout!((4, 2):(1, 4));
        (8, 4), layout!((4, 2):(2, 8));
        (8, 4), layout!(4:8);
        (8, 4), layout!((2, 4):(4, 8));
        (4, (2, 3)), layout!((4, 3):(1, 8));
        (4, (2, 3)), layout!(24:1);
        (4, (2, 3)), layout!((2, 2, 3):(2, 4, 8));
        (6, 10), layout!((3, 5):(2, 12));
    }
}

#[test]
fn tiles_of_an_identity_tell_where_tiles_of_a_tensor_lie() {
    let (m, n) = (37, 50);
    let tiler = tiler!(16, 8);
    let tensor = layout!((m, n):(n, 1)).round_up(tiler).zipped_divide(tiler);
    let coordinates = identity((m, n)).round_up(tiler).zipped_divide(tiler);
    let mut inside = 0;
    for c in tensor.coords() {
        let (i, j) = coordinates.index(c);
        assert_eq!(tensor.index(c), i * n + j);
        inside += usize::from(i < m && j < n);
    }
    assert_eq!((inside, coordinates.size()), (37 * 50, 48 * 56));
}

#[test]
fn a_static_identity_has_no_size() {
    let id = identity(shape!((4, (2, 3))));
    assert_eq!(size_of_val(&id), 0);
    assert_eq!(id.to_string(), "(_4,(_2,_3)):(_1@0,(_1@1,_1@2))");
    assert_eq!((id.size(), id.rank(), id.depth(), id.cosize()), (24, 2, 2, 4));
    assert_eq!(id.index((1, 5)), (1, (1, 2)));
    assert_eq!(id.coalesce().size(), 24);
    assert_eq!(id.flatten().index((3, 1, 2)), (3, (1, 2)));
    assert_eq!(id.mode::<1>().index((1, 1)), (0, (1, 1)));
    assert_eq!(id.transpose().index(((1, 2), 3)), (3, (1, 2)));
    assert_eq!(id.group::<0, 2>().index(5), id.index(5));
}

#[test]
fn slices_keep_the_corner() {
    let id = identity(shape!((4, (2, 3))));
    let (rest, corner) = id.slice((2, (.., 1)));
    assert_eq!(corner, (2, (0, 1)));
    assert_eq!(rest.index(1), (0, (1, 0)));
}

proptest! {
    #[test]
    fn an_identity_maps_every_coordinate_to_itself(m in 0usize..9, n in 0usize..9, k in 1usize..5) {
        let id = identity((m, (n, k)));
        prop_assert_eq!(id.coords().count(), m * n * k);
        for c in id.coords() {
            prop_assert_eq!(id.index(c), c);
        }
        for i in 0..m * n * k {
            prop_assert_eq!(id.at(i), idx2crd(i, (m, (n, k))));
        }
    }

    #[test]
    fn dividing_an_identity_visits_every_coordinate_once(a in 1usize..6, b in 1usize..6) {
        let (m, n) = (4 * a, 6 * b);
        let tiles = identity((m, n)).zipped_divide(tiler!(4, (2, 3):(3, 1)));
        let mut seen: Vec<_> = tiles.coords().map(|c| tiles.index(c)).collect();
        seen.sort();
        prop_assert_eq!(seen, (0..m).flat_map(|i| (0..n).map(move |j| (i, j))).collect::<Vec<_>>());
    }
}
