//! The iterator over coordinates: each once, the leftmost mode fastest, drawn one by one or folded,
//! from the beginning or from the middle.

use layout_algebra::prelude::*;

/// What the iterator over `layout` gives in every way of drawing from it, beside the
/// coordinates of the numbers `0 .. size`.
fn check<S: IntTuple, D: IntTuple>(layout: StridedLayout<S, D>)
where
    S::Dynamic: PartialEq,
{
    let expected: Vec<S::Dynamic> =
        (0..layout.size()).map(|i| idx2crd(i, layout.shape())).collect();
    for drawn in 0..=expected.len() {
        let mut coords = layout.coords();
        assert_eq!(coords.by_ref().take(drawn).collect::<Vec<_>>(), expected[..drawn]);
        assert_eq!(
            (coords.len(), coords.size_hint().1),
            (expected.len() - drawn, Some(expected.len() - drawn))
        );
        let mut folded = Vec::new();
        coords.clone().for_each(|c| folded.push(c));
        assert_eq!(folded, expected[drawn..], "folded from {drawn} on");
        let mut stepped = Vec::new();
        for c in coords.by_ref() {
            stepped.push(c);
        }
        assert_eq!(stepped, expected[drawn..], "drawn from {drawn} on");
        assert_eq!(
            (coords.next(), coords.next(), coords.len(), coords.count()),
            (None, None, 0, 0)
        );
    }
}

#[test]
fn each_coordinate_comes_once_in_every_way_of_drawing() {
    let (m, n) = (3, 2);
    check(layout!(7:2));
    check(layout!(1:0));
    check(layout!((3, 4)));
    check(layout!((1, 1, 1)));
    check(layout!((2, 1, 3):(0, 5, 1)));
    check(layout!(((2, 3), (1, (2, 2)))));
    check(layout!((2, (2, (2, (2, 2))))));
    check(layout!((2, 1, 2, 1, 2, 1, 2, 3)));
    check(layout!((m, (n, 2), m):(1, (m, 60), 20)));
}

#[test]
fn an_empty_shape_has_no_coordinate() {
    let (zero, n) = (0, 5);
    check(layout!(zero:1));
    check(layout!((zero, 5):(1, 1)));
    check(layout!((5, zero):(1, 1)));
    check(layout!((zero, zero):(1, 1)));
    check(layout!((n, (2, zero), 3):(1, (1, 1), 1)));
    check(layout!(((zero, n), usize::MAX):((1, 1), 0)));
}

/// Nothing is counted that could leave `usize` on the way.
#[test]
fn extents_up_to_the_largest_number() {
    let huge = layout!((1, usize::MAX):(1, 0));
    assert_eq!(huge.coords().take(3).collect::<Vec<_>>(), [(0, 0), (0, 1), (0, 2)]);
    assert_eq!(huge.coords().len(), usize::MAX);
    let mut coords = layout!((usize::MAX, 1):(0, 0)).coords();
    coords.next();
    assert_eq!((coords.len(), coords.next()), (usize::MAX - 1, Some((1, 0))));
}
