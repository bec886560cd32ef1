//! Modes counted backwards: tensors on negative strides against plain loops.

use layout_algebra::prelude::*;
use layout_algebra::{SignedLayout, composed::MovedLayout, composed::Unswizzled};

/// The number of the element where mode `I` of a shape of these sizes is counted backwards.
fn mirrored(sizes: &[usize], mode: usize, i: usize) -> usize {
    let before: usize = sizes[..mode].iter().product();
    let (n, number) = (sizes[mode], i / before % sizes[mode]);
    i - number * before + (n - 1 - number) * before
}

macro_rules! each_flip {
    ($layout:expr; $($mode:literal)*) => {{
        let layout = $layout;
        let sizes: Vec<usize> = (0..layout.rank()).map(|mode| layout.mode_size(mode)).collect();
        let data: Vec<usize> = (0..layout.cosize()).map(|i| 7 * i + 1).collect();
        let plain = Tensor::new(&data[..], layout).unwrap();
        $(
            let flipped = plain.view().flip::<$mode>();
            let name = flipped.layout().to_string();
            assert_eq!(flipped.shape(), plain.shape(), "{name}");
            assert_eq!(flipped.layout().cosize(), layout.cosize(), "{name}");
            for i in 0..plain.size() {
                assert_eq!(flipped[i], plain[mirrored(&sizes, $mode, i)], "{name} at {i}");
            }
            // In the order of the coordinates, and under each of them.
            let all: Vec<usize> = (0..plain.size()).map(|i| plain[mirrored(&sizes, $mode, i)]).collect();
            assert_eq!(flipped.iter().copied().collect::<Vec<_>>(), all, "{name}");
            assert!(flipped.layout().coords().zip(&all).all(|(c, &x)| data[flipped.layout().locate(c)] == x), "{name}");
            // Twice is not at all.
            let twice = flipped.view().flip::<$mode>();
            assert!((0..plain.size()).all(|i| twice[i] == plain[i]), "{name}");
            // Copied into a compact tensor and back into a flipped one.
            let mut compact = Tensor::filled(StridedLayout::left(layout.shape()), 0);
            compact.copy_from(&flipped).unwrap();
            assert_eq!(compact.storage_of(), all, "{name}");
            // Written through a mutable view.
            let mut written = vec![0; layout.cosize()];
            let mut target = Tensor::new(&mut written[..], layout).unwrap();
            if target.view_mut().flip::<$mode>().copy_from(&flipped).is_ok() {
                assert!((0..plain.size()).all(|i| target[i] == plain[i]), "{name}");
            }
            // The same at run time.
            let dynamic = plain.view().with_layout(layout.to_dynamic()).unwrap().flip::<$mode>();
            assert_eq!(dynamic.iter().copied().collect::<Vec<_>>(), all, "{name}");
            let twice = dynamic.view().flip::<$mode>();
            assert!((0..plain.size()).all(|i| twice[i] == plain[i]), "{name}");
        )*
    }};
}
trait StorageOf {
    fn storage_of(self) -> Vec<usize>;
}
impl<L: Clone> StorageOf for Tensor<Vec<usize>, L> {
    fn storage_of(self) -> Vec<usize> {
        self.into_storage()
    }
}

#[test]
fn every_mode_of_many_layouts() {
    each_flip!(layout!(7:1); 0);
    each_flip!(layout!(7:3); 0);
    each_flip!(layout!((4, 6)); 0 1);
    each_flip!(layout!((4, 6): right); 0 1);
    each_flip!(layout!((4, 6):(1, 10)); 0 1);
    each_flip!(layout!((4, 6):(0, 1)); 0 1);
    each_flip!(layout!((1, 6):(100, 1)); 0 1);
    each_flip!(layout!(((2, 3), 4):((4, 8), 1)); 0 1);
    each_flip!(layout!((4, (2, 3), 5):(1, (12, 4), 24)); 0 1 2);
    each_flip!(layout!((2, (2, (3, 2))):(36, (18, (1, 6)))); 0 1);
    let (m, n) = (5, 3);
    each_flip!(layout!((m, n)); 0 1);
    each_flip!(layout!((m, n): right); 0 1);
    each_flip!(layout!((4, n):(n, 1)); 0 1);
    each_flip!(layout!(((m, 2), n):((2, 1), 10)); 0 1);
}

/// Random extents and strides, in a nesting with numbers known at run time.
#[test]
fn random_layouts() {
    let mut seed = 1u64;
    let mut random = |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n as usize
    };
    for _ in 0..300 {
        let (s, d) = ([0; 4].map(|_: i32| 1 + random(4)), [0; 4].map(|_: i32| random(9)));
        each_flip!(layout!((s[0], (s[1], s[2]), s[3]):(d[0], (d[1], d[2]), d[3])) ; 0 1 2);
    }
}

#[test]
fn several_modes_at_once_and_rotations() {
    let image: Vec<usize> = (0..12).collect();
    let t = Tensor::new(&image[..], layout!((3, 4): right)).unwrap();
    let half = t.view().flip::<0>().flip::<1>();
    assert!((0..3).all(|i| (0..4).all(|j| half[(i, j)] == t[(2 - i, 3 - j)])));
    let clockwise = t.view().transpose().flip::<1>();
    assert!((0..4).all(|i| (0..3).all(|j| clockwise[(i, j)] == t[(2 - j, i)])));
    let back = clockwise.view().flip::<1>().transpose();
    assert!((0..12).all(|i| back[i] == t[i]));
    assert_eq!(half.layout().to_string(), "11 o (_3,_4):(-_4,-_1)");
    let row = half.slice((1, ..));
    assert_eq!(row.iter().copied().collect::<Vec<_>>(), [7, 6, 5, 4]);
    // Flipped back, a row is a plain one.
    let rows = t.view().flip::<0>();
    assert_eq!(rows.slice((0, ..)).layout().to_string(), "_4:_1");
    assert_eq!(rows.slice((0, ..)).as_slice(), Some(&[8, 9, 10, 11][..]));
    assert_eq!(rows.slice((.., 1)).as_slice(), None);
}

#[test]
fn slices_windows_tiles_and_shares() {
    let data: Vec<usize> = (0..8 * 12).collect();
    let t = Tensor::new(&data[..], layout!((8, 12): right)).unwrap();
    let want = |i: usize, j: usize| t[(7 - i, j)];
    let flipped = t.view().flip::<0>();
    for i in 0..8 {
        let row = flipped.slice((i, ..));
        assert!((0..12).all(|j| row[j] == want(i, j)));
        for end in i..=8 {
            let part = flipped.slice((i..end, 3..7));
            assert_eq!(part.shape(), (end - i, 4));
            assert!((0..end - i).all(|k| (0..4).all(|j| part[(k, j)] == want(i + k, 3 + j))));
        }
    }
    let window = flipped.window((2, 5), shape!((3, 4)));
    assert!((0..3).all(|i| (0..4).all(|j| window[(i, j)] == want(2 + i, 5 + j))));
    assert!(
        flipped.try_slice((8, ..)).is_err()
            && flipped.get((8, 0)).is_none()
            && flipped.try_window((6, 0), shape!((3, 4))).is_err()
    );
    for i in 0..4 {
        for j in 0..3 {
            let tile = flipped.local_tile(tiler!(2, 4), (i, j)).unwrap();
            assert!((0..2).all(|k| (0..4).all(|l| tile[(k, l)] == want(2 * i + k, 4 * j + l))));
        }
    }
    assert!(flipped.local_tile(tiler!(2, 4), (4, 0)).is_err());
    for thread in 0..8 {
        let share = flipped.local_partition(layout!((2, 4)), thread).unwrap();
        let (i, j) = (thread % 2, thread / 2);
        assert!((0..4).all(|k| (0..3).all(|l| share[(k, l)] == want(2 * k + i, 4 * l + j))));
    }
    for (number, tile) in flipped.tiles(tiler!(2, 4)).enumerate() {
        let (i, j) = (number % 4 * 2, number / 4 * 4);
        assert!((0..2).all(|k| (0..4).all(|l| tile[(k, l)] == want(i + k, j + l))));
    }
    let divided = flipped.view().zipped_divide(tiler!(2, 4));
    assert_eq!(divided[((1, 2), (3, 1))], want(7, 6));
    // Ragged blocks.
    let mut seen = 0;
    for (number, tile) in flipped.ragged_tiles(tiler!(3, 5)).enumerate() {
        let (i, j) = (number % 3 * 3, number / 3 * 5);
        seen += tile.size();
        assert_eq!(tile.shape(), (3.min(8 - i), 5.min(12 - j)));
        assert!(
            (0..3.min(8 - i))
                .all(|k| (0..5.min(12 - j)).all(|l| tile[(k, l)] == want(i + k, j + l)))
        );
    }
    assert_eq!(seen, 96);
}

/// Ranges and windows of layouts whose rank only run time knows.
#[test]
fn parts_of_flipped_dynamic_layouts() {
    let data: Vec<usize> = (0..6 * 8).collect();
    let l: DynLayout = "((2,3),8):((24,8),1)".parse().unwrap();
    let t = Tensor::new(&data[..], l).unwrap();
    let flipped = t.view().flip::<0>().flip::<1>();
    let want = |i: usize, j: usize| t[(5 - i, 7 - j)];
    assert!((0..48).all(|i| flipped[i] == want(i % 6, i / 6)));
    for begin in 0..=8 {
        for end in begin..=8 {
            let part = flipped.slice((.., begin..end));
            assert_eq!(part.size(), 6 * (end - begin));
            assert!(
                (0..part.size()).all(|k| part[k] == want(k % 6, begin + k / 6)),
                "{begin}..{end}"
            );
            assert!(
                (0..end - begin).all(|j| flipped.slice((3, begin..end))[j] == want(3, begin + j))
            );
        }
    }
    assert!((0..16).all(|k| flipped.slice((2..4, ..))[k] == want(2 + k % 2, k / 2)));
    assert!(flipped.try_slice((1..3, ..)).is_err() && flipped.try_slice((.., 3..9)).is_err());
    let window = flipped.window(((1, 1), 2), ((1, 2), 5));
    assert!((0..10).all(|k| window[k] == want(3 + k % 2 * 2, 2 + k / 2)));
    assert!(flipped.try_window(((1, 1), 2), ((1, 3), 5)).is_err());
    let mut data = vec![0; 48];
    let mut t = Tensor::new(&mut data[..], "(6,8):(8,1)".parse::<DynLayout>().unwrap()).unwrap();
    for (k, mut tile) in
        t.view_mut().flip::<1>().ragged_tiles_mut("<4,3>".parse::<DynTiler>().unwrap()).enumerate()
    {
        tile.fill(k);
    }
    assert!((0..48).all(|i| t[(i % 6, 7 - i / 6)] == i % 6 / 4 + i / 6 / 3 * 2));
}

#[test]
fn mutable_parts() {
    let mut data = vec![0usize; 8 * 12];
    let mut t = Tensor::new(&mut data[..], layout!((8, 12): right)).unwrap();
    let mut flipped = t.view_mut().flip::<0>();
    for (number, mut tile) in flipped.tiles_mut(tiler!(2, 4)).enumerate() {
        tile.for_each_mut(|(i, j), x| *x = 1 + 100 * number + 10 * i + j);
        // A tile of a tile, flipped again: within the tile.
        let mut again = tile.view_mut().flip::<1>();
        again.transform(|x| x + 1000);
        assert!(again.view_mut().with_layout(layout!(8:1)).is_err());
    }
    for number in 0..12 {
        for (i, j) in [(0, 0), (1, 0), (0, 3), (1, 3)] {
            let at = (7 - (number % 4 * 2 + i), number / 4 * 4 + j);
            assert_eq!(t[at], 1001 + 100 * number + 10 * i + j);
        }
    }
    let mut flipped = t.view_mut().flip::<1>();
    flipped.iter_mut().enumerate().for_each(|(i, x)| *x = i);
    assert!((0..96).all(|i| t[(i % 8, 11 - i / 8)] == i));
    // What overlaps is refused, backwards as forwards.
    let mut short = [0; 8];
    let mut overlapping = Tensor::new(&mut short[..], layout!((2, 4):(-1, 1)).moved()).unwrap();
    assert!(overlapping.try_tiles_mut(tiler!(1, 2)).is_err());
    assert!(
        std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| overlapping.iter_mut().count()))
            .is_err()
    );
    let mut t = Tensor::new(vec![0; 24], layout!(24:1)).unwrap();
    let mut moved = t.view_mut().with_layout(layout!((4, 6):(-6, 1))).unwrap();
    for (k, mut part) in moved.partitions_mut(layout!((4, 6))).unwrap().enumerate() {
        part.fill(k);
    }
    assert_eq!(t.into_storage(), (0..24).map(|i| 3 - i / 6).collect::<Vec<_>>());
}
#[test]
fn swizzled_tensors() {
    let swizzled = Swizzle::<2, 0, 2>::new().compose(layout!((4, 8):(8, 1)));
    let data: Vec<usize> = (0..swizzled.cosize()).collect();
    let t = Tensor::new(&data[..], swizzled).unwrap();
    let flipped = t.view().flip::<0>().flip::<1>();
    assert_eq!(flipped.layout().to_string(), "Sw<2,0,2> o 31 o (_4,_8):(-_8,-_1)");
    assert_eq!(flipped.layout().cosize(), swizzled.cosize());
    assert!((0..4).all(|i| (0..8).all(|j| flipped[(i, j)] == t[(3 - i, 7 - j)])));
    assert!((0..8).all(|j| flipped.slice((1, ..))[j] == t[(2, 7 - j)]));
    let tile = flipped.local_tile(tiler!(2, 4), (1, 1)).unwrap();
    assert!((0..2).all(|i| (0..4).all(|j| tile[(i, j)] == t[(1 - i, 3 - j)])));
    let back = flipped.view().flip::<1>().flip::<0>();
    assert!((0..32).all(|i| back[i] == t[i]));
    let mut data = vec![0; 32];
    let mut t = Tensor::new(&mut data[..], swizzled).unwrap();
    for (k, mut tile) in t.view_mut().flip::<1>().tiles_mut(tiler!(2, 4)).enumerate() {
        tile.fill(k);
    }
    assert!((0..4).all(|i| (0..8).all(|j| t[(i, 7 - j)] == i / 2 + j / 4 * 2)));
}

#[test]
fn a_base_that_does_not_fit_is_refused() {
    type Backwards = MovedLayout<usize, usize, layout_algebra::strides::Neg<usize>>;
    let at = |from: usize, n: usize, d: usize| -> Backwards {
        ComposedLayout::const_new(
            Unswizzled,
            from,
            SignedLayout::new(n, layout_algebra::strides::Neg::new(d)),
        )
    };
    let error = Tensor::new([0; 8], at(2, 4, 1)).unwrap_err();
    assert!(error.to_string().contains("the offset -1 is negative"), "{error}");
    assert!(Tensor::new([0; 8], at(3, 4, 1)).is_ok() && Tensor::new([0; 8], at(7, 4, 1)).is_ok());
    assert_eq!(Tensor::new([0; 8], at(8, 4, 1)).unwrap_err().kind().as_str(), "bounds");
    for (from, n, d) in [
        (usize::MAX, 4, 1),
        (0, usize::MAX, 1),
        (0, 4, usize::MAX),
        (usize::MAX, 2, usize::MAX),
        (usize::MAX, 1, 7),
    ] {
        assert!(Tensor::new([0; 8], at(from, n, d)).is_err(), "{from} {n} {d}");
        assert!(Tensor::new(vec![(); usize::MAX], at(from, n, d)).is_err(), "{from} {n} {d}");
    }
    // Nothing lies in an empty one, wherever it begins.
    let empty = Tensor::new([0; 8], at(usize::MAX, 0, usize::MAX)).unwrap();
    assert_eq!((empty.size(), empty.iter().count(), empty.view().flip::<0>().size()), (0, 0, 0));
    assert_eq!(Tensor::new([7; 1], at(0, 1, usize::MAX)).unwrap()[0], 7);
    // A composition that goes on behind the end goes below the beginning.
    let n = 6;
    let flipped = Tensor::new(vec![0; 6], layout!(n:1)).unwrap().flip::<0>();
    let error = flipped.view().try_compose(layout!(8:1)).unwrap_err();
    assert!(error.to_string().contains("negative"), "{error}");
    assert_eq!(flipped.try_compose(layout!(3:2)).unwrap().layout().to_string(), "5 o _3:-_2");
}

/// A layout with negative strides as it is written: moved, so that its least offset is 0.
#[test]
fn negative_strides_as_they_are_written() {
    let data: Vec<usize> = (0..24).collect();
    let t = Tensor::new(&data[..], layout!((4, 6):(-1, 4))).unwrap();
    assert_eq!(t.layout().to_string(), "3 o (_4,_6):(-_1,_4)");
    assert!((0..4).all(|i| (0..6).all(|j| t[(i, j)] == 3 - i + 4 * j)));
    assert!(Tensor::new(&data[..23], layout!((4, 6):(-1, 4))).is_err());
    let fixed = Tensor::fixed([1, 2, 3, 4, 5, 6], layout!((2, 3):(-3, -1)));
    assert_eq!(fixed.iter().copied().collect::<Vec<_>>(), [6, 3, 5, 2, 4, 1]);
    let (m, n) = (3, 5);
    let mut filled = Tensor::filled(layout!((m, n):(-5, 1)), 0);
    filled.slice_mut((0, ..)).fill(7);
    assert_eq!(filled.into_storage(), [[0; 5], [0; 5], [7; 5]].concat());
    let plain = Tensor::new(&data[..], layout!((4, 6))).unwrap();
    let turned = plain.view().with_layout(layout!((6, 4):(4, -1))).unwrap();
    assert!((0..4).all(|i| (0..6).all(|j| turned[(j, i)] == plain[(3 - i, j)])));
    let table = turned.slice((..2, ..2)).table().to_string();
    assert!(table.contains("| 3 | 2 |") && table.contains("| 7 | 6 |"), "{table}");
    assert_eq!(
        turned.map(|x| x + 1).iter().copied().collect::<Vec<_>>()[..7],
        [4, 8, 12, 16, 20, 24, 3]
    );
    // Refused where memory says no.
    let far = SignedLayout::new((2, 2), (layout_algebra::strides::Neg::new(usize::MAX), 1));
    assert_eq!(Tensor::new(&data[..], far).unwrap_err().kind().as_str(), "overflow");
    assert!(
        plain.view().with_layout(layout!((5, 6):(-1, 4))).is_ok()
            == (Tensor::new(&data[..], layout!((5, 6):(1, 4))).is_ok())
    );
    let mut tile = Tensor::new(data.clone(), layout!((4, 6))).unwrap();
    for mut tile in tile.tiles_mut(tiler!(2, 3)) {
        tile.view_mut().with_layout(layout!((2, 3):(-1, 4))).unwrap().fill(1);
        assert!(tile.view_mut().with_layout(layout!((3, 3):(-1, 4))).is_err());
    }
}

/// `gemm` takes flipped tensors.
#[test]
fn products() {
    let numbers: Vec<i32> = (0..48).map(|i| i * i % 11 - 3).collect();
    let a = Tensor::new(&numbers[..12], layout!((4, 3))).unwrap();
    let b = Tensor::new(&numbers[12..27], layout!((5, 3): right)).unwrap();
    let product = |i: usize, j: usize| (0..3).map(|k| a[(3 - i, k)] * b[(j, 2 - k)]).sum::<i32>();
    let mut c = Tensor::filled(layout!((4, 5)), 0);
    c.gemm(&a.view().flip::<0>(), &b.view().flip::<1>()).unwrap();
    assert!((0..4).all(|i| (0..5).all(|j| c[(i, j)] == product(i, j))));
    let mut flipped = Tensor::filled(layout!((4, 5):(-1, 4)), 0);
    flipped.gemm(&a, &b.view().flip::<1>()).unwrap();
    assert!((0..4).all(|i| (0..5).all(|j| flipped[(i, j)] == product(3 - i, j))));
}
