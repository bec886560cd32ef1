//! Ranges, windows, tiles and sides of tensors and layouts, against loops over plain vectors: many
//! thousand random cases each, on mixed, nested, dynamic and swizzled layouts.

use std::ops::Range;

use crate::{at_least, cases};
use layout_algebra::prelude::*;
use layout_algebra::tensor::{Addressable, SliceIn};
use layout_algebra::{Window, operation::Sliced};
use rayon::prelude::*;
use static_assertions::{assert_impl_all, assert_type_eq_all};

/// Random numbers, the same in each run.
struct Random(u64);
impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
    /// A range of a mode of `size` numbers; now and then one that is none.
    fn range(&mut self, size: usize) -> Range<usize> {
        match self.below(8) {
            0 => self.below(size + 3)..self.below(size + 3),
            _ => {
                let start = self.below(size + 1);
                start..start + self.below(size - start + 1)
            }
        }
    }
}

/// A mode: the extents and strides of its leaves.
type Mode = Vec<(usize, usize)>;

fn size(mode: &Mode) -> usize {
    mode.iter().map(|leaf| leaf.0).product()
}
/// The offset of a number of a mode.
fn offset(mode: &Mode, mut number: usize) -> usize {
    let mut sum = 0;
    for (extent, stride) in mode {
        sum += number % extent * stride;
        number /= extent;
    }
    sum
}
/// The offsets of the numbers `parts[k]` of each mode, the first mode fastest.
fn offsets(modes: &[Mode], parts: &[Range<usize>]) -> Vec<usize> {
    let mut all = vec![0];
    for (mode, part) in modes.iter().zip(parts) {
        all = part
            .clone()
            .flat_map(|number| all.iter().map(move |sum| sum + offset(mode, number)))
            .collect();
    }
    all
}
fn layout_offsets<L: Layout<Offset = usize>>(layout: &L, begin: usize) -> Vec<usize> {
    (0..layout.size()).map(|i| begin + layout.at(i)).collect()
}

/// Whether some extents with the strides of the mode give the offsets of a range.
fn has_layout(mode: &Mode, range: &Range<usize>) -> bool {
    let expected: Vec<usize> = range.clone().map(|number| offset(mode, number)).collect();
    let [(_, d0), (_, d1)] = mode[..] else { unreachable!("two leaves") };
    let first = expected.first().copied().unwrap_or(0);
    (1..=range.len()).filter(|e| range.len() % e == 0).any(|e| {
        let cut = vec![(e, d0), (range.len() / e, d1)];
        (0..range.len()).all(|i| first + offset(&cut, i) == expected[i])
    })
}

/// Ranges of `((a,b),n)`, of all kinds: what is accepted is the law, what is refused is no layout,
/// and both engines say the same.
#[test]
fn ranges_are_what_lies_between() {
    let mut random = Random(1);
    let (mut accepted, mut refused, mut blocks) = (0, 0, 0);
    for case in 0..cases(60_000) {
        let (a, b, n) = (1 + random.below(4), 1 + random.below(4), 1 + random.below(5));
        // The second leaf goes on where the first one stops, or lies anywhere.
        let d = random.below(4);
        let (e, f) =
            (if random.below(2) == 0 { a * d } else { random.below(12) }, random.below(40));
        let modes = [vec![(a, d), (b, e)], vec![(n, f)]];
        let layout = layout!(((a, b), n):((d, e), f));
        let dynamic = DynLayout::from(layout);
        let (p, q) = (random.range(a * b), random.range(n));
        let in_order = p.start <= p.end && p.end <= a * b && q.start <= q.end && q.end <= n;
        let found = layout.try_slice((p.clone(), q.clone()));
        let twin = dynamic.slice((p.clone(), q.clone()));
        match (&found, &twin) {
            (Ok((part, begin)), Ok((other, other_begin))) => {
                assert!(in_order, "{dynamic} {p:?} {q:?}");
                accepted += 1;
                assert_eq!(
                    (&DynLayout::from(*part), begin),
                    (other, other_begin),
                    "{dynamic} {p:?} {q:?}"
                );
                assert_eq!(part.stride(), layout.stride());
                assert_eq!(
                    layout_offsets(part, *begin),
                    offsets(&modes, &[p.clone(), q.clone()]),
                    "{dynamic} {p:?} {q:?}"
                );
                if case % 4 != 0 {
                    continue;
                }
                // The other ways to write it.
                assert_eq!(layout.slice((p.clone(), q.start..)).0.size(), p.len() * (n - q.start));
                if !q.is_empty() {
                    assert_eq!(layout.try_slice((p.clone(), q.start..=q.end - 1)), found);
                    assert_eq!(dynamic.try_slice((p.clone(), q.start..=q.end - 1)), twin);
                }
                if q.start == 0 {
                    assert_eq!(layout.try_slice((p.clone(), ..q.end)), found);
                }
                let text = format!("({}..{},{}..{})", p.start, p.end, q.start, q.end);
                assert_eq!(dynamic.slice(&text.parse().unwrap()), twin);
                assert_eq!(text.parse::<DynSlice>().unwrap().to_string(), text);
            }
            (Err(error), Err(other)) => {
                assert_eq!(error.fault(), other.fault(), "{dynamic} {p:?} {q:?}");
                refused += 1;
                if in_order {
                    assert_eq!(error.kind(), ErrorKind::Divisibility);
                    // Equal strides, or none, may give the same offsets by chance, in other blocks.
                    if d != e && d != 0 {
                        assert!(
                            !has_layout(&modes[0], &p),
                            "{dynamic} {p:?} is refused, and a layout"
                        );
                    }
                    blocks += 1;
                } else if p.start > p.end || p.end > a * b {
                    assert_eq!(error.kind(), ErrorKind::Bounds);
                }
            }
            other => panic!("{dynamic} {p:?} {q:?}: {other:?}"),
        }
        // On a tensor, with a number in place of a range, and through a tile.
        let t = Tensor::new((0..layout.cosize()).collect::<Vec<_>>(), layout).unwrap();
        assert_eq!(t.get_slice((p.clone(), q.clone())).is_some(), found.is_ok());
        if found.is_ok() {
            let j = random.below(n);
            let column: Vec<usize> = t.slice((p.clone(), j)).iter().copied().collect();
            assert_eq!(column, offsets(&modes, &[p.clone(), j..j + 1]));
        }
    }
    assert!(
        accepted > at_least(30_000) && refused > at_least(5_000) && blocks > at_least(1_000),
        "{accepted} {refused} {blocks}"
    );
}

/// Windows of `((a,b),n)` and of `(m,n)`: leaf by leaf.
#[test]
fn windows_are_what_lies_within() {
    let mut random = Random(2);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..cases(60_000) {
        let extents = [1 + random.below(4), 1 + random.below(4), 1 + random.below(5)];
        let strides = [random.below(4), random.below(12), random.below(30)];
        let ([a, b, n], [d, e, f]) = (extents, strides);
        let layout = layout!(((a, b), n):((d, e), f));
        let dynamic = DynLayout::from(layout);
        let origin = extents.map(|extent| random.below(extent + 1));
        let shape: [usize; 3] = std::array::from_fn(|k| match random.below(6) {
            0 => random.below(6),
            _ => random.below(extents[k] - origin[k] + 1),
        });
        let within = (0..3).all(|k| origin[k] + shape[k] <= extents[k]);
        let ([x, y, z], [u, v, w]) = (origin, shape);
        let found = layout.try_window(((x, y), z), ((u, v), w));
        let twin = dynamic.window(((x, y), z), ((u, v), w));
        assert_eq!(found.is_ok(), within, "{dynamic} {origin:?} {shape:?}");
        match (&found, &twin) {
            (Ok((window, begin)), Ok((other, other_begin))) => {
                accepted += 1;
                assert_eq!((&DynLayout::from(*window), begin), (other, other_begin));
                assert_eq!((window.shape(), window.stride()), (((u, v), w), layout.stride()));
                for c in window.coords() {
                    let moved = ((c.0.0 + x, c.0.1 + y), c.1 + z);
                    assert_eq!(window.index(c) + begin, layout.index(moved));
                }
                // A number stands for a coordinate of the nested mode.
                if x < a && y < b {
                    assert_eq!(layout.try_window((x + a * y, z), ((u, v), w)), found);
                    assert_eq!(dynamic.window((x + a * y, z), ((u, v), w)), twin);
                }
            }
            (Err(error), Err(other)) => {
                refused += 1;
                assert_eq!((error.fault(), error.kind()), (other.fault(), ErrorKind::Bounds));
            }
            other => panic!("{dynamic} {origin:?} {shape:?}: {other:?}"),
        }
        // Mutable, and static extents that stay so.
        if a >= 2 && n >= 3 {
            let mut t = Tensor::new(vec![0; layout.cosize()], layout).unwrap();
            let (i, k) = (random.below(a - 1), random.below(n - 2));
            let j = random.below(b);
            t.window_mut(((i, j), k), shape!(((2, 1), 3))).fill(1);
            let window = t.window(((i, j), k), shape!(((2, 1), 3)));
            assert_eq!(window.iter().sum::<usize>(), 6);
            let mut written = vec![0; layout.cosize()];
            for (p, q) in (0..3).flat_map(|q| (0..2).map(move |p| (p, q))) {
                written[(i + p) * d + j * e + (k + q) * f] = 1;
            }
            assert_eq!(t.into_storage(), written);
        }
    }
    assert!(accepted > at_least(20_000) && refused > at_least(5_000), "{accepted} {refused}");
}

/// The tiles of a tensor whose elements are their own offsets: the blocks in order, each as large
/// as it can be.
fn check_ragged<L: Addressable>(
    what: &str,
    tiles: impl Iterator<Item = Tensor<impl layout_algebra::tensor::Storage<Item = usize>, L>>,
    expected: Vec<Vec<usize>>,
) {
    let found: Vec<Vec<usize>> = tiles.map(|tile| tile.iter().copied().collect()).collect();
    assert_eq!(found, expected, "{what}");
}

/// The blocks of a tiler, the first mode fastest.
fn blocks(modes: &[Mode], tile: &[usize]) -> Vec<Vec<Range<usize>>> {
    let mut all = vec![Vec::new()];
    for (mode, &n) in modes.iter().zip(tile) {
        let ranges = (0..size(mode)).step_by(n).map(|start| start..(start + n).min(size(mode)));
        all = ranges
            .flat_map(|range| {
                all.iter().map(move |block: &Vec<Range<usize>>| {
                    [&block[..], std::slice::from_ref(&range)].concat()
                })
            })
            .collect();
    }
    all
}

/// Each element belongs to one tile, and knows it; what lies between is nobody's.
macro_rules! check_mutable {
    ($layout:expr, $tiler:expr, $expected:expr, $random:expr) => {{
        let (layout, expected, random) = ($layout, &$expected, &mut $random);
        let mut t = Tensor::new(vec![usize::MAX; layout.reach().unwrap()], layout.clone()).unwrap();
        let mut owners = t.storage_of();
        for (i, block) in expected.iter().enumerate() {
            block.iter().for_each(|&place| owners[place] = i);
        }
        let mut tiles = t.ragged_tiles_mut($tiler);
        assert_eq!(tiles.len(), expected.len());
        // From both ends, all alive at once.
        let (mut first, mut last, mut alive) = (0, expected.len(), Vec::new());
        while first < last {
            if random.below(2) == 0 {
                alive.push((first, tiles.next().unwrap()));
                first += 1;
            } else {
                last -= 1;
                alive.push((last, tiles.next_back().unwrap()));
            }
        }
        assert!(tiles.next().is_none());
        for (i, tile) in &mut alive {
            tile.transform(|x| {
                assert_eq!(*x, usize::MAX, "an element of two tiles");
                *i
            });
        }
        assert_eq!(t.into_storage(), owners);
    }};
}
trait StorageOf {
    fn storage_of(&self) -> Vec<usize>;
}
impl<L: Addressable> StorageOf for Tensor<Vec<usize>, L> {
    fn storage_of(&self) -> Vec<usize> {
        vec![usize::MAX; self.length()]
    }
}

/// Ragged tiles of `(m,n)` in each order with gaps, mixed, dynamic and swizzled.
#[test]
fn ragged_tiles_are_all_blocks() {
    let mut random = Random(3);
    let mut cut = 0;
    for case in 0..cases(60_000) {
        let (m, n, gap) = (random.below(6), 1 + random.below(5), random.below(3));
        let (x, y) = (1 + random.below(4), 1 + random.below(4));
        let (d, e) = if random.below(2) == 0 { (1, m + gap) } else { (n + gap, 1) };
        let modes = [vec![(m, d)], vec![(n, e)]];
        let layout = layout!((m, n):(d, e));
        let blocks = blocks(&modes, &[x, y]);
        let expected: Vec<Vec<usize>> = blocks.iter().map(|block| offsets(&modes, block)).collect();
        cut += usize::from(m % x != 0 || n % y != 0);
        let memory: Vec<usize> = (0..layout.cosize()).collect();
        match case % 6 {
            0 => {
                let t = Tensor::new(&memory, layout).unwrap();
                check_ragged("mixed", t.ragged_tiles(tiler!(x, y)), expected.clone());
                for (tile, block) in t.ragged_tiles(tiler!(x, y)).zip(&blocks) {
                    assert_eq!(tile.shape(), (block[0].len(), block[1].len()));
                }
                if m % x == 0 && n % y == 0 {
                    check_ragged("whole", t.tiles(tiler!(x, y)), expected);
                }
            }
            1..4 => check_mutable!(layout, tiler!(x, y), expected, random),
            4 if case % 12 == 4 => {
                let t = Tensor::new(&memory, DynLayout::from(layout)).unwrap();
                check_ragged("dynamic", t.ragged_tiles(tiler!(x, y)), expected);
            }
            4 => check_mutable!(DynLayout::from(layout), tiler!(x, y), expected, random),
            _ => {
                // Through a swizzle of run time: offsets go through it.
                let swizzle = DynSwizzle::new(1, 0, 2).unwrap();
                let swizzled: Vec<Vec<usize>> = expected
                    .iter()
                    .map(|block| block.iter().map(|&x| swizzle.apply(x)).collect())
                    .collect();
                check_mutable!(
                    ComposedLayout::new(swizzle, 0, layout),
                    tiler!(x, y),
                    swizzled,
                    random
                );
            }
        }
    }
    assert!(cut > at_least(20_000), "{cut} cases with an edge prove little");
}

/// Ragged tiles of nested modes: refused together if one of them is no layout. `_`, and modes
/// beyond the tiler's.
#[test]
fn ragged_tiles_of_nested_modes() {
    let mut random = Random(4);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..cases(5_000) {
        let (a, b, n) = (1 + random.below(4), 1 + random.below(4), 1 + random.below(3));
        let (d, e) = if random.below(2) == 0 { (1, a) } else { (n, n * a + random.below(3)) };
        let f = if d == 1 { a * b } else { 1 };
        let modes = [vec![(a, d), (b, e)], vec![(n, f)]];
        let layout = layout!(((a, b), n):((d, e), f));
        let x = 1 + random.below(7);
        let expected: Vec<Vec<usize>> =
            blocks(&modes, &[x, 1]).iter().map(|block| offsets(&modes, block)).collect();
        let memory: Vec<usize> = (0..layout.cosize()).collect();
        let t = Tensor::new(&memory, layout).unwrap();
        let dynamic = Tensor::new(&memory, DynLayout::from(layout)).unwrap();
        match (t.try_ragged_tiles(tiler!(x)), dynamic.try_ragged_tiles(tiler!(x))) {
            (Ok(tiles), Ok(others)) => {
                accepted += 1;
                check_ragged("nested", tiles, expected.clone());
                check_ragged("nested, at run time", others, expected.clone());
                check_mutable!(layout, tiler!(x), expected, random);
                let whole: Vec<Vec<usize>> =
                    blocks(&modes, &[x, n]).iter().map(|block| offsets(&modes, block)).collect();
                check_ragged("kept", t.ragged_tiles(tiler!(x, _)), whole.clone());
                check_ragged("kept, at run time", dynamic.ragged_tiles(tiler!(x, _)), whole);
            }
            (Err(error), Err(other)) => {
                refused += 1;
                assert_eq!((error.fault(), error.kind()), (other.fault(), ErrorKind::Divisibility));
                let bad =
                    (0..a * b).step_by(x).any(|i| !has_layout(&modes[0], &(i..(i + x).min(a * b))));
                assert!(bad, "{} by {x}", dynamic.layout());
            }
            _ => panic!("{} by {x}: one of the two engines refuses", dynamic.layout()),
        }
        // By leaves.
        let (p, q, r) = (1 + random.below(4), 1 + random.below(4), 1 + random.below(4));
        let leaves = [vec![(a, d)], vec![(b, e)], vec![(n, f)]];
        let expected: Vec<Vec<usize>> =
            blocks(&leaves, &[p, q, r]).iter().map(|block| offsets(&leaves, block)).collect();
        let nested = Tiler::new((Tiler::new((p, q)), r));
        check_ragged("by leaves", t.ragged_tiles(nested), expected.clone());
        check_mutable!(layout, Tiler::new((Tiler::new((p, q)), r)), expected, random);
    }
    assert!(accepted > at_least(2_000) && refused > at_least(200), "{accepted} {refused}");
}

/// The two sides of a number.
#[test]
fn sides_are_disjoint() {
    let mut random = Random(5);
    for case in 0..cases(50_000) {
        let (m, n, gap) = (random.below(6), random.below(6), random.below(3));
        let (d, e) = if random.below(2) == 0 { (1, m + gap) } else { (n + gap, 1) };
        let (layout, modes) = (layout!((m, n):(d, e)), [vec![(m, d)], vec![(n, e)]]);
        let (i, j) = (random.below(m + 2), random.below(n + 2));
        let mut t = Tensor::new(vec![0; layout.cosize()], layout).unwrap();
        let mut written = vec![0; layout.cosize()];
        match t.try_split_at_mut::<0>(i) {
            Ok((mut above, mut below)) => {
                assert_eq!((above.shape(), below.shape()), ((i, n), (m - i, n)));
                below.fill(2);
                above.fill(1);
                offsets(&modes, &[0..i, 0..n]).into_iter().for_each(|place| written[place] = 1);
                offsets(&modes, &[i..m, 0..n]).into_iter().for_each(|place| written[place] = 2);
            }
            Err(error) => assert!(i > m && error.kind() == ErrorKind::Bounds, "{error}"),
        }
        assert_eq!(t.storage_of_now(), written);
        match t.try_split_at::<1>(j) {
            Ok((left, right)) => {
                let values = |range| {
                    offsets(&modes, &[0..m, range])
                        .into_iter()
                        .map(|place| written[place])
                        .collect()
                };
                let (expected_left, expected_right): (Vec<i32>, Vec<i32>) =
                    (values(0..j), values(j..n));
                assert_eq!(left.iter().copied().collect::<Vec<_>>(), expected_left);
                assert_eq!(right.iter().copied().collect::<Vec<_>>(), expected_right);
            }
            Err(error) => assert!(j > n && error.kind() == ErrorKind::Bounds, "{error}"),
        }
        if j <= n && case % 8 == 0 {
            let mut t = Tensor::new(vec![0; layout.cosize()], DynLayout::from(layout)).unwrap();
            let (mut left, mut right) = t.split_at_mut::<1>(j);
            left.fill(1);
            right.fill(2);
            assert_eq!(t.iter().sum::<i32>() as usize, m * (j + 2 * (n - j)));
            let (left, right) = t.split_at::<1>(j);
            assert_eq!((left.size(), right.size()), (m * j, m * (n - j)));
        }
    }
}
trait StorageOfNow {
    fn storage_of_now(&self) -> Vec<i32>;
}
impl<L: Addressable> StorageOfNow for Tensor<Vec<i32>, L> {
    fn storage_of_now(&self) -> Vec<i32> {
        let length = self.length();
        self.view().with_layout(layout!(length)).unwrap().iter().copied().collect()
    }
}

/// As a slice there are the elements whose offsets count up in the order of the coordinates, and no
/// others.
fn check_slice<L: Addressable>(layout: L, slices: &mut usize) {
    let expected = layout_offsets(&layout, 0);
    let counts_up = expected.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let reach = layout.reach().unwrap();
    let mut t = Tensor::new((0..reach).collect::<Vec<_>>(), layout.clone()).unwrap();
    assert_eq!(t.as_slice(), counts_up.then_some(&expected[..]), "{layout}");
    let mut tile = t.as_tile_mut();
    assert_eq!(tile.as_slice(), counts_up.then_some(&expected[..]), "{layout}");
    match tile.as_mut_slice() {
        Some(slice) => slice.iter_mut().for_each(|x| *x += reach),
        None => tile.for_each_mut(|_, x| *x += if *x < reach { reach } else { 0 }),
    }
    let memory: Vec<usize> =
        (0..reach).map(|i| if expected.contains(&i) { i + reach } else { i }).collect();
    assert_eq!(t.into_storage(), memory, "{layout}");
    *slices += usize::from(counts_up && expected.len() > 1);
}

#[test]
fn slices_are_what_lies_side_by_side() {
    let (mut random, mut slices) = (Random(6), 0);
    for case in 0..cases(50_000) {
        let (m, n, p, one) = (random.below(5), random.below(5), random.below(4), 1);
        let strides = [1, m, m * n, m * n + random.below(2), random.below(4)];
        let [d, e, f] = [0; 3].map(|_| strides[random.below(5)]);
        let layout = layout!((m, (n, p)):(d, (e, f)));
        check_slice(layout, &mut slices);
        check_slice(layout!((m, n):(1, d)), &mut slices);
        if case % 4 == 0 {
            check_slice(DynLayout::from(layout), &mut slices);
            check_slice(layout!((m, (n, p)):(one, (m, m * n))), &mut slices);
            check_slice(layout!((2, (n, 4)):(1, (2, d))), &mut slices);
        }
    }
    assert!(slices > at_least(10_000), "{slices}");

    // Of swizzled layouts: rows that the swizzle moves as a whole, and rows within which it moves
    // elements.
    let layout = Swizzle::<1, 2, 1>::new().compose(layout!((4, 4): right));
    let dynamic: DynComposedLayout = "Sw<1,2,1> o 0 o (4,4):(4,1)".parse().unwrap();
    let mut t = Tensor::new((0..16).collect::<Vec<_>>(), layout).unwrap();
    assert_eq!(t.as_slice(), None);
    assert_eq!(t.slice((2, ..)).as_slice(), Some(&[12, 13, 14, 15][..]));
    t.slice_mut((3, ..)).as_mut_slice().unwrap().fill(0);
    let t = Tensor::new(t.into_storage(), dynamic).unwrap();
    assert_eq!((t.as_slice(), t.slice((3, ..)).as_slice()), (None, Some(&[0; 4][..])));
    let layout = Swizzle::<1, 0, 2>::new().compose(layout!((4, 4): right));
    let t = Tensor::new((0..16).collect::<Vec<_>>(), layout).unwrap();
    assert_eq!(
        (t.slice((0, ..)).as_slice(), t.slice((1, ..)).as_slice()),
        (Some(&[0, 1, 2, 3][..]), None)
    );

    // What has no size has places too.
    let n = 3;
    let mut nothing = Tensor::new(vec![(); 3], layout!(n)).unwrap();
    assert_eq!(nothing.as_mut_slice().map(|slice| slice.len()), Some(3));
}

/// A window of a tile, a slice of a window, sides of a tile: what is mutable stays so.
#[test]
fn tiles_have_all_of_it() {
    let mut t = Tensor::fixed([0; 48], layout!((6, 8): right));
    for (i, mut tile) in t.tiles_mut(tiler!(3, 4)).enumerate() {
        tile.window_mut((1, 1), shape!((2, 2))).fill(i + 1);
        tile.slice_mut((0, 1..3)).fill(10 * (i + 1));
        let (mut left, mut right) = tile.split_at_mut::<1>(3);
        left[(0, 0)] = 7;
        right.slice_mut((.., 0)).slice_mut(1..=2).fill(9);
        assert_eq!(left.window((1, 1), shape!((1, 1)))[0], i + 1);
        for mut block in right.ragged_tiles_mut(tiler!(2, 2)) {
            block.transform(|x| *x + 100);
        }
        assert_eq!(
            tile.tiles(tiler!(3, 2)).map(|half| half.iter().sum::<usize>()).sum::<usize>(),
            tile.iter().sum()
        );
    }
    let rows: Vec<Vec<usize>> =
        (0..6).map(|i| t.slice((i, ..)).iter().copied().collect()).collect();
    assert_eq!(rows[0], [7, 10, 10, 100, 7, 30, 30, 100]);
    assert_eq!(rows[1], [0, 1, 1, 109, 0, 3, 3, 109]);
    assert_eq!(rows[5], [0, 2, 2, 109, 0, 4, 4, 109]);
}

/// Static numbers stay where no range is.
#[test]
fn static_numbers_stay() {
    use core::ops::RangeFull;
    type A = Layout!((4, 6, 3):(18, 3, 1));
    assert_type_eq_all!(Sliced<A, (Range<usize>, RangeFull, RangeFull)>, Layout!((_, 6, 3):(18, 3, 1)));
    assert_type_eq_all!(Sliced<A, (usize, std::ops::RangeFrom<usize>, RangeFull)>, Layout!((_, 3):(3, 1)));
    assert_type_eq_all!(Sliced<A, Window<(usize, usize, usize), Shape!((2, 2, 3))>>, Layout!((2, 2, 3):(18, 3, 1)));
    type Nested = Layout!((4, (2, 3)):(1, (4, 8)));
    assert_type_eq_all!(Sliced<Nested, (RangeFull, Range<usize>)>, Layout!((4, (_, _)):(1, (4, 8))));
    assert_impl_all!(Range<usize>: SliceIn<Layout!(24:1)>);
    // An image: the channels stay static, and ragged tiles too.
    let (h, w) = (5, 7);
    let t = Tensor::filled(layout!((h, w, 3): right), 1u8);
    let tiles: Vec<_> = t.ragged_tiles(tiler!(4, 4, _)).collect();
    assert_type_eq_all!(Tensor<&[u8], Layout!((_, _, 3):(_, 3, 1))>, Tensor<&[u8], Layout!((_, _, 3):(_, 3, 1))>);
    assert_eq!(tiles[3].shape().2, int!(3));
    assert_eq!(tiles.iter().map(|tile| tile.size()).collect::<Vec<_>>(), [48, 12, 36, 9]);
}

/// A swizzled layout is sliced by ranges and windows as by numbers; whole blocks come out plain.
#[test]
fn swizzled_layouts_have_ranges_and_windows() {
    let layout = Swizzle::<2, 0, 3>::new().compose(layout!((8, 8): right));
    let dynamic: DynComposedLayout = "Sw<2,0,3> o 0 o (8,8):(8,1)".parse().unwrap();
    let t = Tensor::new((0..64).collect::<Vec<usize>>(), layout).unwrap();
    let u = Tensor::new((0..64).collect::<Vec<usize>>(), dynamic.clone()).unwrap();
    for (i, j) in (0..8).flat_map(|j| (0..8).map(move |i| (i, j))) {
        let part = t.slice((i..8, j..=7));
        let other = u.slice((i..8, j..));
        let (window, begin) = layout.window((i, j), (8 - i, 8 - j));
        let (at_run_time, moved) = dynamic.window((i, j), (8 - i, 8 - j)).unwrap();
        for (c, &x) in part.indexed() {
            let expected = layout.index((i + c.0, j + c.1));
            assert_eq!((x, window.index(c) + begin), (expected, expected));
            let number = c.0 + (8 - i) * c.1;
            assert_eq!((other[number], at_run_time.at(number) + moved), (expected, expected));
        }
        assert_eq!(
            t.window((i, j), (8 - i, 8 - j)).iter().copied().collect::<Vec<_>>(),
            part.iter().copied().collect::<Vec<_>>()
        );
        assert_eq!(
            u.window((i, j), (8 - i, 8 - j)).iter().copied().collect::<Vec<_>>(),
            part.iter().copied().collect::<Vec<_>>()
        );
    }
    assert_eq!(t.try_slice((0..9, ..)).unwrap_err().kind(), ErrorKind::Bounds);
    assert_eq!(u.try_window((7, 7), (2, 1)).unwrap_err().kind(), ErrorKind::Bounds);
    // Rows of 16: the swizzle leaves what lies within 2^2 alone.
    let wide = Swizzle::<2, 2, 3>::new().compose(layout!((8, 4):(4, 1)));
    let (part, begin) = wide.window((3, 0), shape!((1, 4)));
    assert_eq!(
        layout_offsets(&part, begin),
        (0..4).map(|j| wide.index((3, j))).collect::<Vec<_>>()
    );
}

/// A window begins at an array too, and a shape may be one, whatever the layout is.
#[test]
fn a_window_begins_at_an_array() -> Result<(), LayoutError> {
    let n = 6;
    let dynamic: DynLayout = "(4,6):(1,4)".parse()?;
    let swizzled: DynComposedLayout = "Sw<1,0,2> o 0 o (4,6):(1,4)".parse()?;
    macro_rules! check {
        ($($layout:expr;)*) => {$({
            let mut t = Tensor::new((0..24).collect::<Vec<i32>>(), $layout)?;
            let expected: Vec<i32> = t.window((1, 2), (2, 3)).iter().copied().collect();
            assert_eq!(t.window([1, 2], (2, 3)).iter().copied().collect::<Vec<_>>(), expected);
            assert_eq!(t.window([1, 2], [2, 3]).iter().copied().collect::<Vec<_>>(), expected);
            assert_eq!(t.window_mut([1, 2], shape!((2, 3))).iter_mut().map(|x| *x).collect::<Vec<_>>(), expected);
            assert!(t.try_window([3, 2], [2, 3]).is_err());
        })*};
    }
    check! { layout!((4, 6)); layout!((4, n)); Swizzle::<1, 0, 2>::new().compose(layout!((4, 6))); dynamic; swizzled; }
    let dynamic = DynLayout::new([4, 6], [1, 4])?;
    assert_eq!(dynamic.window([1, 2], [2, 3])?, dynamic.window((1, 2), (2, 3))?);
    Ok(())
}

/// What is out of bounds says so, with the numbers, in a panic and in an error alike.
#[test]
fn what_is_no_range_is_refused() {
    let a = layout!((4, 6):(1, 4));
    let say = |error: Result<_, LayoutError>| {
        error.map(|_: (DynLayout, usize)| ()).unwrap_err().to_string()
    };
    let at = |range: Range<usize>| {
        a.try_slice((range, ..)).map(|(part, begin)| (DynLayout::from(part), begin))
    };
    #[allow(clippy::reversed_empty_ranges, reason = "that is the mistake")]
    let turned = 3..1;
    assert_eq!(
        say(at(1..5)),
        "cannot slice (4,6):(1,4): the range 1..5 reaches beyond the extent 4"
    );
    assert_eq!(say(at(turned)), "cannot slice (4,6):(1,4): the range 3..1 ends before it begins");
    assert!(at(4..4).is_ok() && at(5..5).is_err());
    assert!(
        a.try_slice((5.., ..)).is_err()
            && a.try_slice((..=4, ..)).is_err()
            && a.try_slice((..=3, ..)).is_ok()
    );
    assert!(a.try_slice((..=usize::MAX, ..)).is_err() && a.try_slice((usize::MAX.., ..)).is_err());
    assert!(a.try_slice((0..usize::MAX, ..)).is_err());
    assert!(a.try_window((usize::MAX, 0), shape!((1, 1))).is_err());
    assert!(a.try_window((1, 1), (usize::MAX, 1)).is_err() && a.try_window((4, 6), (0, 0)).is_ok());
    let panic = std::panic::catch_unwind(|| a.slice((1..5, ..))).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>().unwrap(), &say(at(1..5)));
    let t = Tensor::fixed([0; 24], a);
    let panic = std::panic::catch_unwind(|| t.slice((1..5, ..)).size()).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>().unwrap(), &say(at(1..5)));
    assert_eq!(t.try_slice((1..5, ..)).unwrap_err().to_string(), say(at(1..5)));
    // Nothing is done in half: as many elements as before.
    let mut t = t;
    assert!(t.try_slice_mut((0..2, 3..9)).is_err() && t.try_window_mut((0, 0), (5, 1)).is_err());
    assert!(
        t.try_split_at_mut::<1>(7).is_err() && t.try_ragged_tiles_mut(Tiler::new((0, 1))).is_err()
    );
    let d: DynLayout = "(4,6):(1,4)".parse().unwrap();
    assert_eq!(
        say(d.slice((1..5, ..))),
        "cannot slice (4,6):(1,4) at (1..5,_): the range 1..5 reaches beyond the extent 4"
    );
    assert_eq!(d.window((0, 0, 0), (1, 1)).unwrap_err().kind(), ErrorKind::Profile);
    assert_eq!(d.window((0, 0), (1, (1, 1))).unwrap_err().kind(), ErrorKind::Profile);
    let t = Tensor::new(vec![0; 24], d).unwrap();
    assert_eq!(
        t.try_ragged_tiles(&"<2:2,3>".parse::<DynTiler>().unwrap()).unwrap_err().kind(),
        ErrorKind::Profile
    );
    assert_eq!(t.try_ragged_tiles(tiler!(1, 2, 3)).unwrap_err().kind(), ErrorKind::Rank);
    assert_eq!(t.try_split_at::<2>(0).unwrap_err().kind(), ErrorKind::Rank);
    assert_eq!(t.ragged_tiles(7).map(|tile| tile.size()).collect::<Vec<_>>(), [7, 7, 7, 3]);
    for text in ["1..", "..3", "1..=2", "(0..2,_)", "(_,3..)"] {
        let slice: DynSlice = text.parse().unwrap();
        assert_eq!(slice.to_string().parse::<DynSlice>().unwrap(), slice);
    }
    for text in ["1.", "1...2", "..=", "(1..2", "1..=", "1.. =", "a..b"] {
        assert!(text.parse::<DynSlice>().is_err(), "{text}");
    }
}

/// Many threads, each with its own tiles.
#[test]
fn tiles_go_to_threads() {
    let (m, n) = (101, 67);
    let mut t = Tensor::filled(layout!((m, n): right), 0usize);
    t.ragged_tiles_mut(tiler!(16, 8))
        .into_par_iter()
        .enumerate()
        .for_each(|(i, mut tile)| tile.fill(i + 1));
    let sum: usize = t
        .ragged_tiles(tiler!(16, 8))
        .into_par_iter()
        .enumerate()
        .map(|(i, tile)| {
            assert!(tile.iter().all(|&x| x == i + 1));
            tile.size()
        })
        .sum();
    assert_eq!(sum, m * n);
    let mut d =
        Tensor::new(vec![1usize; 96], "(8,12):(12,1)".parse::<DynLayout>().unwrap()).unwrap();
    assert_eq!(
        d.tiles(tiler!(4, 3)).into_par_iter().map(|tile| tile.iter().sum::<usize>()).sum::<usize>(),
        96
    );
    d.ragged_tiles_mut(tiler!(3, 5))
        .into_par_iter()
        .for_each(|mut tile| tile.transform(|x| *x + 1));
    assert!(d.iter().all(|&x| x == 2));
    d.tiles_mut(tiler!(4, 3)).into_par_iter().for_each(|mut tile| tile.transform(|x| *x + 1));
    assert!(d.iter().all(|&x| x == 3));
    let tiles = d.tiles(tiler!(4, 3));
    assert_eq!((tiles.clone().rev().count(), tiles.len()), (8, 8));
}
