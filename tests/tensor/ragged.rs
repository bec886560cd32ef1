//! Ragged tiles: safe code takes the existing elements of a tile, and accesses no others.

use layout_algebra::prelude::*;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases(64) as u32))]

    /// Every element is in exactly one tile, at its coordinate; a copy out and a copy back change
    /// nothing else.
    #[test]
    fn ragged_tiles_cover_exactly_once(m in 1usize..30, n in 1usize..30, pad in 0usize..4) {
        let pitch = n + pad;
        let layout = layout!((m, n):(pitch, 1));
        let mut t = Tensor::new((0..m * pitch).collect::<Vec<_>>(), layout).unwrap();
        let (rows, columns) = (m.div_ceil(8), n.div_ceil(4));
        let mut seen = Vec::new();
        for (i, j) in (0..columns).flat_map(|j| (0..rows).map(move |i| (i, j))) {
            let tile = t.ragged_tile(tiler!(8, 4), (i, j)).unwrap();
            prop_assert_eq!(tile.coordinates().corner(), (8 * i, 4 * j));
            let mut copy = Tensor::filled(layout!((8, 4)), usize::MAX);
            tile.copy_to(&mut copy).unwrap();
            for (c, &x) in copy.indexed() {
                let (row, column) = (8 * i + c.0, 4 * j + c.1);
                prop_assert_eq!(x, if row < m && column < n { row * pitch + column } else { usize::MAX });
                prop_assert_eq!(tile.get(c), t.get((row, column)));
                seen.extend(tile.get(c).copied());
            }
            // The shares of 4 x 2 threads in the tile, each again.
            for thread in 0..8 {
                let share = t.ragged(tile.coordinates().local_partition(layout!((4, 2)), thread).unwrap());
                for (x, y) in (0..2).flat_map(|y| (0..2).map(move |x| (x, y))) {
                    prop_assert_eq!(share.get((x, y)), tile.get((thread % 4 + 4 * x, thread / 4 + 2 * y)));
                }
            }
        }
        seen.sort_unstable();
        prop_assert!(seen.into_iter().eq((0..m).flat_map(|i| (0..n).map(move |j| i * pitch + j))));
        prop_assert_eq!(t.ragged_tile(tiler!(8, 4), (rows, 0)).unwrap_err().kind().as_str(), "bounds");
        prop_assert_eq!(t.ragged_tile_mut(tiler!(8, 4), (0, columns)).unwrap_err().kind().as_str(), "bounds");

        t.fill(0);
        for (i, j) in (0..columns).flat_map(|j| (0..rows).map(move |i| (i, j))) {
            let mut tile = t.ragged_tile_mut(tiler!(8, 4), (i, j)).unwrap();
            tile.copy_from(&Tensor::filled(layout!((8, 4): right), 3)).unwrap();
            tile.for_each_mut(|_, x| *x += 1);
            if let Some(x) = tile.get_mut((7, 3)) {
                *x += 1;
            }
        }
        prop_assert_eq!(t.iter().sum::<usize>(), 4 * m * n + (m / 8) * (n / 4));
        // What lies between the rows is as it was.
        let storage = t.into_storage();
        prop_assert!((0..m - 1).all(|i| (n..pitch).all(|j| storage[i * pitch + j] == i * pitch + j)));
    }
}

#[test]
fn a_ragged_tile_without_predicate_is_refused() {
    let (m, n) = (5, 6);
    let t = Tensor::new(vec![0; 30], layout!((m, n): right)).unwrap();
    assert_eq!(
        t.local_tile(tiler!(2, 3), (0, 0)).unwrap_err().to_string(),
        "cannot divide (5,6):(6,1) by <2,3>: extent 5 is not a multiple of the span 2"
    );
}

#[test]
fn a_copy_of_another_shape_is_refused() {
    let n = 5;
    let t = Tensor::new(vec![0; 5], layout!(n)).unwrap();
    let m = 3;
    let mut copy = Tensor::filled(layout!(m), 0);
    assert_eq!(
        t.ragged_tile(tiler!(4), 1).unwrap().copy_to(&mut copy).unwrap_err().kind().as_str(),
        "profile"
    );
}

/// A swizzled tensor has ragged tiles, too.
#[test]
fn ragged_tiles_of_a_swizzled_tensor() {
    let layout = Swizzle::<2, 0, 3>::new().compose(layout!((5, 8): right));
    let t = Tensor::new((0..layout.cosize()).collect::<Vec<_>>(), layout).unwrap();
    let mut seen = Vec::new();
    for i in 0..3 {
        let tile = t.ragged_tile(tiler!(2, 8), (i, 0)).unwrap();
        seen.extend(tile.coordinates().layout().coords().filter_map(|c| tile.get(c).copied()));
    }
    seen.sort_unstable();
    assert_eq!(seen, (0..40).collect::<Vec<_>>());
}

/// 40 channels into blocks of 32, the second one padded: each block by one copy, the padding stays.
#[test]
fn ragged_blocks_are_copied_whole() {
    let (c, h, w) = (40, 3, 5);
    let image: Vec<usize> = (1..=c * h * w).collect();
    let source = Tensor::new(&image[..], layout!((c, h, w): right)).unwrap();
    let blocked = layout!(((32, 2), h, w):((1, 32 * h * w), 32 * w, 32));
    let (mut target, mut by_hand) = (Tensor::filled(blocked, 0), vec![0; 64 * h * w]);
    for (block, part) in source.ragged_tiles(tiler!(32, _, _)).enumerate() {
        target.slice_mut(((..part.layout().mode_size(0), block), .., ..)).copy_from(&part).unwrap();
    }
    for (at, &value) in source.indexed() {
        by_hand[blocked.index(at)] = value;
    }
    assert_eq!(target.into_storage(), by_hand);
}
