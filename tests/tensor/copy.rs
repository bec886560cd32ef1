//! `copy_from` visits memory in its own order; the result equals that of the order of coordinates.

use std::fmt::Debug;

use layout_algebra::prelude::*;
use layout_algebra::tensor::Addressable;
use proptest::prelude::*;

/// Copies element by element, in the order of the coordinates.
fn by_coordinates<T: Clone, L: Layout<Offset = usize>, M: Layout<Offset = usize>>(
    to: &mut [T],
    l: &L,
    from: &[T],
    m: &M,
) {
    (0..l.size()).for_each(|i| to[l.at(i)] = from[m.at(i)].clone());
}

/// The copy between two layouts of one shape, of numbers and of what needs a drop.
fn check<L, M>(l: L, m: M)
where
    L: Addressable,
    M: Addressable<Coordinate = L::Coordinate>,
{
    check_of(&l, &m, |i| i as u32);
    check_of(&l, &m, |i| i as u8);
    check_of(&l, &m, |i| [i as u64, 7, 9]);
    check_of(&l, &m, |i| i.to_string());
}

fn check_of<T: Clone + PartialEq + Debug, L, M>(l: &L, m: &M, element: impl Fn(usize) -> T)
where
    L: Addressable,
    M: Addressable<Coordinate = L::Coordinate>,
{
    let from: Vec<T> = (1..=m.cosize()).map(&element).collect();
    let mut expected = vec![element(0); l.cosize()];
    let mut to = Tensor::new(expected.clone(), l.clone()).unwrap();
    to.copy_from(&Tensor::new(&from[..], m.clone()).unwrap()).unwrap();
    by_coordinates(&mut expected, l, &from, m);
    assert_eq!(to.into_storage(), expected, "{l} from {m}");
}

#[test]
fn static_layouts() {
    check(layout!(8:1), layout!(8:3));
    check(layout!((64, 64)), layout!((64, 64): right));
    check(layout!((64, 64): right), layout!((64, 64)));
    check(layout!((37, 21)), layout!((37, 21): right)); // blocks do not fill it
    check(layout!((16, 33):(40, 1)), layout!((16, 33):(1, 17)));
    check(layout!((3, 70)), layout!((3, 70): right)); // too narrow for blocks
    check(layout!((2, 3, 4, 5, 6):(60, 20, 5, 1, 120)), layout!((2, 3, 4, 5, 6)));
    check(
        layout!(((4, 8), (2, 16)):((1, 64), (4, 512))),
        layout!(((4, 8), (2, 16)):((32, 128), (16, 1))),
    );
    check(layout!((32, 48)), layout!((32, 48):(0, 1))); // one row for all
    check(layout!((32, 48)), layout!((32, 48):(0, 0)));
    check(layout!((1, 40, 1, 20): right), layout!((1, 40, 1, 20)));
    // more loops than are put in order
    check(layout!((2, 2, 2, 2, 2, 2, 2, 2): right), layout!((2, 2, 2, 2, 2, 2, 2, 2)));
}

/// The last coordinate that writes an element decides what it is.
#[test]
fn destinations_that_overlap_keep_the_order() {
    check(layout!((4, 6):(0, 1)), layout!((4, 6)));
    check(layout!((6, 20):(1, 2)), layout!((6, 20): right));
    check(layout!((20, 20):(3, 2)), layout!((20, 20)));
}

#[test]
fn sizes_of_run_time() {
    for (m, n) in [(0, 5), (5, 0), (1, 1), (3, 7), (16, 16), (50, 40), (33, 65)] {
        check(layout!((m, n)), layout!((m, n): right));
        check(layout!((m, n): right), layout!((m, n)));
        check(layout!((m, n):(1, 70)), layout!((m, n): right));
        check(layout!((m, 24):(24, 1)), layout!((m, 24):(1, m)));
        let parsed = |text: &str| text.parse::<DynLayout>().unwrap();
        check(parsed(&format!("({m},{n}):(1,70)")), parsed(&format!("({m},{n}):({n},1)")));
    }
    assert!(
        Tensor::new(vec![0; 6], layout!((2, 3)))
            .unwrap()
            .copy_from(&Tensor::fixed([0; 8], layout!((2, 4))))
            .is_err_and(|error| error.kind() == ErrorKind::Profile)
    );
}

proptest! {
    /// Any extents and any strides, overlapping ones too.
    #[test]
    fn any_layout(
        extents in [0usize..9, 1..9, 1..9, 1..4],
        to in [0usize..80, 0..80, 0..80, 0..300],
        from in [0usize..80, 0..80, 0..80, 0..300],
    ) {
        let layout = |d: [usize; 4]| {
            let [a, b, c, e] = extents;
            layout!((a, (b, c), e):(d[0], (d[1], d[2]), d[3]))
        };
        check_of(&layout(to), &layout(from), |i| i as u32);
        check_of(&DynLayout::from(layout(to)), &DynLayout::from(layout(from)), |i| i as u16);
    }

    /// Compact ones in any order of the modes: nothing overlaps.
    #[test]
    fn any_permutation(
        extents in [1usize..12, 1..12, 1..12, 1..4],
        to in Just([0usize, 1, 2, 3]).prop_shuffle(),
        from in Just([0usize, 1, 2, 3]).prop_shuffle(),
    ) {
        let layout = |order: [usize; 4]| {
            let (mut strides, mut stride) = ([0; 4], 1);
            for mode in order {
                strides[mode] = stride;
                stride *= extents[mode];
            }
            let ([a, b, c, d], [s, t, u, v]) = (extents, strides);
            layout!((a, b, c, d):(s, t, u, v))
        };
        check_of(&layout(to), &layout(from), |i| i as u32);
        check_of(&layout(to), &layout(from), |i| i.to_string());
    }
}
