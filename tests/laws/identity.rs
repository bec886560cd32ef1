//! Identity layouts: they map coordinates to themselves, and go through the algebra like any other
//! layout.

use layout_algebra::Notation;
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
fn steps_along_several_axes_are_diagonals() {
    composes_as_coordinates! {
        (4, 6), layout!(4:5);
        (4, 6), layout!((2, 2):(5, 10));
        (4, 6, 2), layout!((2, 2):(5, 10));
        (4, 6, 2), layout!((2, 2):(29, 2));
        (4, (2, 3)), layout!((2, 2):(13, 2));
        (8, 8, 8), layout!((2, 4):(73, 146));
        (8, 8, 8), layout!(8:72);
    }
    let diagonal = identity(shape!((4, 4))).compose(layout!(4:5));
    assert_eq!(format!("{diagonal:#} {diagonal:?}"), "4:1@0+1@1 _4:_1@0+1@1");
    assert_eq!((diagonal.index(3), diagonal.size(), diagonal.cosize()), ((3, 3), 4, 4));
    // It is composed, divided, sliced and coalesced as others are.
    assert_eq!(format!("{:#}", diagonal.compose(layout!(2:2))), "2:2@0+2@1");
    assert_eq!(format!("{:#}", diagonal.logical_divide(layout!(2:1))), "(2,2):(1@0+1@1,2@0+2@1)");
    assert_eq!(diagonal.logical_divide(layout!(2:1)).coalesce(), diagonal);
    assert_ne!(diagonal, identity(shape!((4, 4))).compose(layout!(4:1)));
    let (kept, begin) =
        identity(shape!((4, 4, 3))).compose(layout!((4, 3):(5, 16))).slice((1..3, 2));
    assert_eq!((begin, kept.index(1)), ((1, 1, 2), (1, 1, 0)));
    // Blocks of 2 x 2 and the blocks: axes 0 and 1 have two modes each.
    let tiles = identity(shape!((8, 8))).zipped_divide(tiler!(2, 2));
    let through = tiles.compose(layout!((2, 2):(5, 10)));
    for (i, j) in through.coords() {
        assert_eq!(through.index((i, j)), tiles.index(5 * i + 10 * j));
    }
    // Coordinates of another shape lead to the same coordinates.
    let rows = identity(shape!((4, 6))).with_shape(shape!((2, 2, 6)));
    assert!((0..24).all(|i| rows.at(i) == idx2crd(i, shape!((4, 6)))), "{rows}");
    // Sums of the same axes are the same type, in whatever order the axes came.
    let turned = identity(shape!((4, 4))).transpose().compose(layout!(4:5));
    assert_eq!((turned, turned.coalesce()), (diagonal, diagonal));
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

/// `R(x) + o == L(c with x in the place of the range)`: for every range of every mode, or it is
/// refused.
#[test]
fn ranges_of_identity_layouts_are_exact_or_refused() {
    macro_rules! every_range {
        ($layout:expr, $other:expr) => {{
            let l = $layout;
            let (size, other): (usize, [usize; 2]) = (l.mode_size(0), $other);
            let (mut sliced, mut refused) = (0, 0);
            for (begin, end) in
                (0..=size).flat_map(|begin| (begin..=size).map(move |end| (begin, end)))
            {
                match l.try_slice((begin..end, other[0]..other[1])) {
                    Ok((part, offset)) => {
                        assert_eq!(part.size(), (end - begin) * (other[1] - other[0]));
                        for (x, y) in
                            (begin..end).flat_map(|x| (other[0]..other[1]).map(move |y| (x, y)))
                        {
                            let (at, whole) =
                                (part.index((x - begin, y - other[0])), l.index((x, y)));
                            assert_eq!(
                                added(at, offset),
                                numbers(whole),
                                "{l} at ({begin}..{end},{other:?})"
                            );
                        }
                        sliced += 1;
                    }
                    Err(error) => {
                        assert!(matches!(error.fault(), Fault::RangeBlock { .. }), "{error}");
                        refused += 1;
                    }
                }
            }
            (sliced, refused)
        }};
    }
    fn numbers<C: IntTuple<Dynamic: Notation>>(c: C) -> Vec<usize> {
        let mut text = format!("{:#}", notation(c.to_dynamic()));
        text.retain(|c| !"()".contains(c));
        text.split(',').map(|number| number.parse().unwrap()).collect()
    }
    fn added<A: IntTuple<Dynamic: Notation>, B: IntTuple<Dynamic: Notation>>(
        a: A,
        b: B,
    ) -> Vec<usize> {
        numbers(a).into_iter().zip(numbers(b)).map(|(a, b)| a + b).collect()
    }
    let n = 6;
    assert_eq!(every_range!(identity(shape!((4, 6))), [1, 3]), (15, 0));
    assert_eq!(every_range!(identity((n, 5)), [0, 5]), (28, 0));
    // Blocks of 2, and what lies within one.
    let (sliced, refused) = every_range!(identity(shape!(((2, 3), 4))), [1, 4]);
    assert!(sliced > 12 && refused > 5, "{sliced} sliced, {refused} refused");
    // Two axes, the second one by steps of the length of the first: no run of one axis.
    let by_twos = identity(shape!((2, (2, 6)))).compose(tiler!(_, (2, 3):(1, 4)));
    assert_eq!(format!("{by_twos:#}"), "(2,(2,3)):(1@0,(1@1,2@2))");
    let turned = by_twos.transpose();
    let (again, refused_again) = every_range!(turned, [0, 2]);
    assert_eq!((again, refused_again), (sliced, refused));
    // One axis in two modes that go on where the first one stops.
    let run = identity((24, 4)).logical_divide(tiler!(2, 1)).slice((.., (0, ..))).0;
    assert_eq!(format!("{run:#}"), "((2,12),4):((1@0,2@0),1@1)");
    assert_eq!(every_range!(run, [1, 3]), (325, 0));
    assert_eq!(run.slice((1..3, ..)).1, (1, 0));
    let windowed = identity(shape!((4, (2, 3)))).window((1, (0, 1)), shape!((2, (2, 2))));
    assert_eq!((windowed.1, windowed.0.index((1, (1, 1)))), ((1, (0, 1)), (1, (1, 1))));
    let tensor = Tensor::coordinates(identity((4, 6)));
    assert_eq!(tensor.slice((1..3, 2..)).slice((.., ..=1)).index((1, 1)), (2, 3));
    assert_eq!(tensor.window((1, 2), (2, 2)).index((1, 1)), (2, 3));
}
