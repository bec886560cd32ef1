//! Coordinate tensors: each element of a tile or a partition is a coordinate of the whole tensor;
//! predicates detect coordinates beyond the edge.

use layout_algebra::prelude::*;
use layout_algebra::tensor::{elem_less, make_layout_tv};
use proptest::prelude::*;

/// A row-major tensor of 100 times the row plus the column.
fn numbered<L: layout_algebra::tensor::Addressable<Coordinate = (usize, usize)>>(
    layout: L,
) -> Tensor<Vec<usize>, L> {
    let mut t = Tensor::filled(layout, 0);
    t.for_each_mut(|(i, j), x| *x = 100 * i + j);
    t
}
fn number((i, j): (usize, usize)) -> usize {
    100 * i + j
}

#[test]
fn coordinates_are_cut_as_the_tensor_is() {
    let (t, whole) =
        (numbered(layout!((8, 12): right)), Tensor::coordinates(identity(shape!((8, 12)))));
    let mut all = Vec::new();
    for (i, j) in (0..4).flat_map(|i| (0..3).map(move |j| (i, j))) {
        let (tile, at) = (
            t.local_tile(tiler!(2, 4), (i, j)).unwrap(),
            whole.local_tile(tiler!(2, 4), (i, j)).unwrap(),
        );
        assert_eq!(at.corner(), (2 * i, 4 * j));
        assert!(tile.iter().copied().eq(at.iter().map(number)));
        for c in tile.layout().coords() {
            assert_eq!((tile[c], tile.get(c)), (number(at.index(c)), at.get(c).map(|_| &tile[c])));
        }
        all.extend(at.iter());
        // A share of a tile.
        for thread in 0..4 {
            let mine = tile.local_partition(layout!((2, 2): right), thread).unwrap();
            let places = at.local_partition(layout!((2, 2): right), thread).unwrap();
            assert!(mine.iter().copied().eq(places.iter().map(number)));
        }
    }
    all.sort_unstable();
    assert!(all.into_iter().eq((0..8).flat_map(|i| (0..12).map(move |j| (i, j)))));
    assert!(
        whole.local_tile(tiler!(2, 4), (4, 0)).is_err()
            && whole.local_tile(tiler!(2, 4), (0, 3)).is_err()
    );
    assert!(whole.local_partition(layout!((2, 2)), 4).is_err());
    assert_eq!(size_of_val(whole.layout()), 0);
    assert_eq!(whole.get((8, 0)), None);
}

#[test]
fn values_projections_and_divides() {
    let (t, whole) = (numbered(layout!((16, 32))), Tensor::coordinates(identity(shape!((16, 32)))));
    let (tiler, tv) = make_layout_tv(layout!((4, 4): right), layout!((2, 2))).unwrap();
    let mut all = Vec::new();
    for thread in 0..16 {
        let (mine, places) = (
            t.partition_tv(tiler, tv, thread).unwrap(),
            whole.partition_tv(tiler, tv, thread).unwrap(),
        );
        assert!(mine.iter().copied().eq(places.iter().map(number)));
        all.extend(places.iter());
    }
    assert!(whole.partition_tv(tiler, tv, 16).is_err());
    all.sort_unstable();
    assert!(all.into_iter().eq((0..16).flat_map(|i| (0..32).map(move |j| (i, j)))));

    let step = (tiler!(4, 5, 8), (3, 9, ..), tiler!(1, _, 1));
    let (a, at) = (
        t.local_tile_by(step.0, step.1, step.2).unwrap(),
        whole.local_tile_by(step.0, step.1, step.2).unwrap(),
    );
    assert!(a.iter().copied().eq(at.iter().map(number)));
    let (row, at) = (t.slice((7, ..)), whole.slice((7, ..)));
    assert!(row.iter().copied().eq(at.iter().map(number)));
    let (tiles, at) = (t.view().zipped_divide(tiler!(4, 4)), whole.zipped_divide(tiler!(4, 4)));
    assert!(tiles.slice((.., 5)).iter().copied().eq(at.slice((.., 5)).iter().map(number)));
    let (flat, at) = (t.view().flat_divide(tiler!(4, 4)), whole.flat_divide(tiler!(4, 4)));
    assert!(flat.iter().copied().eq(at.iter().map(number)));
    let (picked, at) = (t.view().compose(tiler!(4:2, 8:1)), whole.compose(tiler!(4:2, 8:1)));
    assert!(picked.iter().copied().eq(at.iter().map(number)));
    assert_eq!(whole.transpose().index((31, 15)), (15, 31));
    let one = whole.outer_partition(tiler!(4, 4), (1, 2)).unwrap();
    assert_eq!((one.size(), one.index(0), one.index(5)), (32, (1, 2), (5, 6)));
}

/// The sentence of a panic.
fn said<T>(code: impl FnOnce() -> T + std::panic::UnwindSafe) -> String {
    match std::panic::catch_unwind(code) {
        Ok(_) => panic!("no panic"),
        Err(payload) => payload.downcast_ref::<String>().cloned().unwrap_or_default(),
    }
}

#[test]
fn a_range_outside_is_named() {
    let whole = || Tensor::coordinates(identity((4, 6)));
    let text = "cannot slice (4,6):(1@0,1@1): the range 3..5 reaches beyond the extent 4";
    assert_eq!(said(|| whole().window((3, 0), (2, 2)).size()), text);
    assert_eq!(said(|| whole().slice((3..5, ..)).size()), text);
    assert_eq!(
        said(|| whole().slice((4, ..)).size()),
        "cannot slice (4,6):(1@0,1@1): coordinate 4 is out of bounds: the extent is 4"
    );
}

#[test]
#[should_panic(expected = "cannot index")]
fn a_coordinate_outside_panics() {
    Tensor::coordinates(identity((4, 6))).index((0, 6));
}

proptest! {
    /// Every element of a ragged matrix is in exactly one tile as one that is there, and a
    /// predicated copy moves it.
    #[test]
    fn predicates_tell_what_is_there(m in 1usize..40, n in 1usize..40) {
        let whole = Tensor::coordinates(identity((m, n))).round_up(tiler!(8, 4));
        let (rows, columns) = (m.div_ceil(8), n.div_ceil(4));
        let mut there = Vec::new();
        for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
            let tile = whole.local_tile(tiler!(8, 4), (i, j)).unwrap();
            let predicates = tile.predicates((m, n));
            for c in tile.layout().coords() {
                prop_assert_eq!(predicates[c], elem_less(tile.index(c), (m, n)));
                if predicates[c] {
                    there.push(tile.index(c));
                }
            }
            let source = Tensor::filled(layout!((8, 4): right), 7);
            let mut copy = Tensor::filled(layout!((8, 4)), 0);
            copy.copy_if(&source, |c| predicates[c]).unwrap();
            let copied = (m - 8 * i).min(8) * (n - 4 * j).min(4);
            prop_assert_eq!(copy.iter().sum::<i32>(), 7 * copied as i32);
        }
        there.sort_unstable();
        prop_assert!(there.into_iter().eq((0..m).flat_map(|i| (0..n).map(move |j| (i, j)))));
    }
}
