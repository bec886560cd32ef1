//! Ranges, windows and blocks of tensors on XOR strides, each element against offsets computed by hand.

use layout_algebra::prelude::*;
use layout_algebra::tensor::Addressable;
use layout_algebra::{Unswizzled, Xor};

/// `a (x) b`, by the definition.
fn product(a: usize, b: usize) -> usize {
    (0..usize::BITS).filter(|bit| a >> bit & 1 == 1).fold(0, |sum, bit| sum ^ b << bit)
}

/// One mode of a layout: the offset of each of its numbers, and whether a range of it is a layout of the same strides.
struct ModeByHand {
    offsets: Vec<usize>,
    /// Whether the strides are XOR strides.
    bits: bool,
}
impl ModeByHand {
    fn natural(extent: usize, stride: usize) -> Self {
        ModeByHand { offsets: (0..extent).map(|i| i * stride).collect(), bits: false }
    }
    fn xor(extent: usize, number: usize) -> Self {
        ModeByHand { offsets: (0..extent).map(|i| product(i, number)).collect(), bits: true }
    }
    /// The mode of this one and another one behind it.
    fn then(self, slower: ModeByHand) -> Self {
        let offsets = slower.offsets.iter().flat_map(|b| self.offsets.iter().map(move |a| a ^ b)).collect();
        ModeByHand { offsets, bits: self.bits }
    }
    /// Whether the range is what the first numbers of the mode are, from another offset on.
    fn is_layout(&self, start: usize, end: usize) -> bool {
        (start..end).all(|i| {
            let (x, first) = (self.offsets[i - start], self.offsets[start]);
            self.offsets[i] == if self.bits { first ^ x } else { first + x }
        })
    }
}

/// What was kept, and what was refused.
#[derive(Default)]
struct Tally {
    kept: usize,
    refused: usize,
}

/// Every range of both modes, as a slice, a window and two sides, read and written; and every number as a block.
macro_rules! check {
    ($tally:ident, $layout:expr, $from:expr, $first:expr, $second:expr) => {
        check!($tally, $layout, $from, $first, $second, |offset: usize| offset)
    };
    ($tally:ident, $layout:expr, $from:expr, $first:expr, $second:expr, $through:expr) => {{
        let (layout, from, first, second): (_, usize, ModeByHand, ModeByHand) = ($layout, $from, $first, $second);
        let (m, n) = (first.offsets.len(), second.offsets.len());
        let at = |i: usize, j: usize| -> usize {
            $through(match (first.bits, second.bits) {
                (true, true) => from ^ first.offsets[i] ^ second.offsets[j],
                (true, false) => (from ^ first.offsets[i]) + second.offsets[j],
                (false, true) => (from ^ second.offsets[j]) + first.offsets[i],
                (false, false) => unreachable!("there are XOR strides"),
            })
        };
        let box_of = |(a, b): (usize, usize), (c, d): (usize, usize)| -> Vec<usize> {
            (c..d).flat_map(|j| (a..b).map(move |i| (i, j))).map(|(i, j)| at(i, j)).collect()
        };
        let all = box_of((0, m), (0, n));
        let reach = all.iter().max().map_or(0, |last| last + 1);
        let injective = all.iter().collect::<std::collections::BTreeSet<_>>().len() == all.len();
        let mut data: Vec<usize> = (0..reach).collect();
        let name = layout.to_string();
        let mut t = Tensor::new(&mut data[..], layout.clone()).unwrap();
        let ranges = |n: usize| (0..=n).flat_map(move |a| (a..=n).map(move |b| (a, b)));
        for ((a, b), (c, d)) in ranges(m).flat_map(|ab| ranges(n).map(move |cd| (ab, cd))) {
            let whole = |a, b, n| a == 0 && b == n;
            // Each pair of ranges; of larger layouts the one or the other is all of its mode.
            if m * n > 16 && !whole(a, b, m) && !whole(c, d, n) {
                continue;
            }
            let what = || format!("{name} at ({a}..{b}, {c}..{d})");
            let right = first.is_layout(a, b) && second.is_layout(c, d);
            match t.try_slice((a..b, c..d)) {
                Ok(part) => {
                    assert!(right, "{}", what());
                    assert_eq!((part.layout().mode_size(0), part.layout().mode_size(1)), (b - a, d - c), "{}", what());
                    assert_eq!(part.iter().copied().collect::<Vec<_>>(), box_of((a, b), (c, d)), "{}", what());
                    // A part of the part: the upper half of a power of two.
                    if (b - a).is_power_of_two() && b - a > 1 {
                        let half = (b - a) / 2;
                        let upper = part.slice((half.., ..)).iter().copied().collect::<Vec<_>>();
                        assert_eq!(upper, box_of((a + half, b), (c, d)), "{}", what());
                    }
                    $tally.kept += 1;
                }
                Err(error) => {
                    assert!(!right, "{}: {error}", what());
                    assert_eq!(error.kind().as_str(), "divisibility", "{error}");
                    assert!(error.to_string().contains("of XOR strides does not begin at a multiple of "), "{error}");
                    $tally.refused += 1;
                }
            }
            assert_eq!(t.get_slice((a..b, c..d)).is_some(), right, "{}", what());
            // Written, and read again through the whole.
            if let Ok(mut part) = t.try_slice_mut((a..b, c..d)) {
                part.for_each_mut(|_, x| *x |= 1 << 20);
                let touched: std::collections::BTreeSet<usize> = box_of((a, b), (c, d)).into_iter().collect();
                assert!(
                    all.iter().zip(t.iter()).all(|(at, &x)| x == at | usize::from(touched.contains(at)) << 20),
                    "{}",
                    what()
                );
                t.slice_mut((a..b, c..d)).for_each_mut(|_, x| *x &= !(1 << 20));
            }
        }
        for k in 0..=m {
            let right = first.is_layout(0, k) && first.is_layout(k, m);
            assert_eq!(t.try_split_at::<0>(k).is_ok(), right, "{name}, rows before {k}");
            if let Ok((before, behind)) = t.try_split_at::<0>(k) {
                assert_eq!(
                    before.iter().copied().collect::<Vec<_>>(),
                    box_of((0, k), (0, n)),
                    "{name}, rows before {k}"
                );
                assert_eq!(behind.iter().copied().collect::<Vec<_>>(), box_of((k, m), (0, n)), "{name}, rows from {k}");
            }
            assert_eq!(t.try_split_at_mut::<0>(k).is_ok(), right && injective, "{name}, rows before {k}");
        }
        for k in 0..=n {
            let right = second.is_layout(0, k) && second.is_layout(k, n);
            if let Ok((mut before, mut behind)) = t.try_split_at_mut::<1>(k) {
                assert!(right && injective, "{name}, columns before {k}");
                // Both at once.
                before.transform(|x| x | 1 << 20);
                behind.transform(|x| x | 1 << 21);
                let side = |i: usize| if i / m < k { 1 << 20 } else { 1 << 21 };
                assert!(t.iter().enumerate().all(|(i, &x)| x == all[i] | side(i)), "{name}, columns before {k}");
                t.transform(|x| x & !(3 << 20));
            } else {
                assert!(!right || !injective, "{name}, columns before {k}");
            }
        }
        for (p, q) in (1..=m + 1).flat_map(|p| (1..=n + 1).map(move |q| (p, q))) {
            let cut = |size: usize, by: usize| (0..size.div_ceil(by)).map(move |k| (k * by, size.min((k + 1) * by)));
            let of_blocks: Vec<Vec<usize>> = match m * n {
                0 => Vec::new(),
                _ => {
                    cut(n, q).flat_map(|cd| cut(m, p).map(move |ab| (ab, cd))).map(|(ab, cd)| box_of(ab, cd)).collect()
                }
            };
            let right = m * n == 0
                || (cut(m, p).all(|(a, b)| first.is_layout(a, b)) && cut(n, q).all(|(c, d)| second.is_layout(c, d)));
            match t.try_ragged_tiles(tiler!(p, q)) {
                Ok(tiles) => {
                    assert!(right, "{name} by {p} and {q}");
                    assert_eq!(tiles.len(), of_blocks.len(), "{name} by {p} and {q}");
                    let found: Vec<Vec<usize>> = tiles.map(|tile| tile.iter().copied().collect()).collect();
                    assert_eq!(found, of_blocks, "{name} by {p} and {q}");
                    $tally.kept += 1;
                }
                Err(error) => {
                    assert!(!right, "{name} by {p} and {q}: {error}");
                    $tally.refused += 1;
                }
            }
            match t.try_ragged_tiles_mut(tiler!(p, q)) {
                Ok(tiles) => {
                    assert!(right && injective, "{name} by {p} and {q}");
                    // All at once.
                    let mut tiles: Vec<_> = tiles.collect();
                    tiles.iter_mut().enumerate().for_each(|(k, tile)| tile.transform(|x| x | (k + 1) << 20));
                    drop(tiles);
                    let number = |i: usize| 1 + i % m / p + i / m / q * m.div_ceil(p);
                    assert!(t.iter().enumerate().all(|(i, &x)| x == all[i] | number(i) << 20), "{name} by {p} and {q}");
                    t.transform(|x| x & ((1 << 20) - 1));
                }
                Err(error) => assert!(!right || !injective, "{name} by {p} and {q}: {error}"),
            }
        }
        assert!(data.iter().enumerate().all(|(at, &x)| x == at), "{name}: something was left changed");
    }};
}

/// Every window of a layout of two leaves; its shape is known at run time, or to the types.
macro_rules! windows {
    ($tally:ident, $layout:expr, $d:expr, $e:expr) => {{
        let (layout, d, e): (_, usize, usize) = ($layout, $d, $e);
        let name = layout.to_string();
        let (m, n) = (layout.mode_size(0), layout.mode_size(1));
        let (first, second) = (ModeByHand::xor(m, d), ModeByHand::xor(n, e));
        let data: Vec<usize> = (0..layout.reach().unwrap()).collect();
        let t = Tensor::new(&data[..], layout.clone()).unwrap();
        for (a, b) in (0..m).flat_map(|a| (0..=m - a).map(move |b| (a, b))) {
            for (c, d) in (0..n).flat_map(|c| (0..=n - c).map(move |d| (c, d))) {
                let right = first.is_layout(a, a + b) && second.is_layout(c, c + d);
                match t.try_window((a, c), (b, d)) {
                    Ok(window) => {
                        assert!(right, "{name}: {b} by {d} at ({a},{c})");
                        let same = |i, j| window[(i, j)] == t[(a + i, c + j)];
                        assert!((0..b).all(|i| (0..d).all(|j| same(i, j))), "{name}: {b} by {d} at ({a},{c})");
                        $tally.kept += 1;
                    }
                    Err(error) => {
                        assert!(!right, "{name}: {b} by {d} at ({a},{c}): {error}");
                        $tally.refused += 1;
                    }
                }
            }
            assert!(t.try_window((a, 0), (m + 1 - a, n)).is_err() && t.try_window((a, 0), (usize::MAX, n)).is_err());
        }
    }};
}

#[test]
fn ranges_of_static_layouts() {
    let mut tally = Tally::default();
    let (xor, natural) = (ModeByHand::xor, ModeByHand::natural);
    check!(tally, XorLayout::new((0, int!(4)), (Xor::new(1), Xor::new(9))), 0, xor(0, 1), xor(4, 9));
    check!(tally, XorLayout::new((4, 0), (Xor::new(3), 8)), 0, xor(4, 3), natural(0, 8));
    check!(tally, layout!((8, 8):(^1, ^9)), 0, xor(8, 1), xor(8, 9));
    check!(tally, layout!((8, 4):(^9, ^1)), 0, xor(8, 9), xor(4, 1));
    check!(tally, layout!((4, 4):(^3, ^20)), 0, xor(4, 3), xor(4, 20));
    check!(tally, layout!((5, 3):(^1, ^24)), 0, xor(5, 1), xor(3, 24));
    check!(tally, layout!((3, 7):(^8, ^1)), 0, xor(3, 8), xor(7, 1));
    check!(tally, layout!((4, 4):(^5, 0)), 0, xor(4, 5), natural(4, 0));
    check!(tally, layout!((4, 5):(^3, 16)), 0, xor(4, 3), natural(5, 16));
    check!(tally, layout!((5, 4):(16, ^3)), 0, natural(5, 16), xor(4, 3));
    // Leaves that go on where the one before stops are one mode.
    check!(tally, layout!(((2, 4), 4):((^9, ^18), ^1)), 0, xor(2, 9).then(xor(4, 18)), xor(4, 1));
    check!(tally, layout!((4, (2, 2, 2)):(^9, (^1, ^2, ^4))), 0, xor(4, 9), xor(8, 1));
    // What is XORed with all offsets, and other bits above.
    let moved = |f| ComposedLayout::new(Unswizzled, f, layout!((8, 4):(^1, ^9)));
    check!(tally, moved(5), 5, xor(8, 1), xor(4, 9));
    check!(tally, moved(64), 64, xor(8, 1), xor(4, 9));
    let mixed = ComposedLayout::new(Unswizzled, 3, layout!((4, 3):(^1, 8)));
    check!(tally, mixed, 3, xor(4, 1), natural(3, 8));
    // Behind a swizzle.
    let swizzle = Swizzle::<2, 1, 2>::new();
    let through = |offset| swizzle.apply(offset);
    check!(tally, swizzle.compose(layout!((8, 8):(^1, ^9))), 0, xor(8, 1), xor(8, 9), through);
    check!(tally, swizzle.compose(layout!((4, 5):(^24, ^1))), 0, xor(4, 24), xor(5, 1), through);
    let moved = ComposedLayout::new(swizzle, int!(13), layout!((3, 4):(^8, ^5)));
    check!(tally, moved, 13, xor(3, 8), xor(4, 5), through);
    windows!(tally, layout!((8, 4):(^1, ^9)), 1, 9);
    windows!(tally, layout!((5, 3):(^9, ^1)), 9, 1);
    println!("{} kept, {} refused", tally.kept, tally.refused);
    assert!(tally.kept > 1000 && tally.refused > 500, "{} kept, {} refused", tally.kept, tally.refused);
}

#[test]
fn ranges_of_layouts_of_run_time() {
    let mut seed = 3u64;
    let mut random = |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n as usize
    };
    let mut tally = Tally::default();
    for round in 0..crate::cases(24) {
        let (m, n, d, e, f) = (1 + random(7), 1 + random(7), random(20), random(20), random(32));
        let l = XorLayout::new((m, n), (Xor::new(d), Xor::new(e)));
        check!(tally, l, 0, ModeByHand::xor(m, d), ModeByHand::xor(n, e));
        let moved = ComposedLayout::new(Unswizzled, f, l);
        check!(tally, moved, f, ModeByHand::xor(m, d), ModeByHand::xor(n, e));
        // The same where no type knows the rank.
        let dynamic = DynComposedLayout::new(DynSwizzle::IDENTITY, f, l.to_dynamic());
        check!(tally, dynamic, f, ModeByHand::xor(m, d), ModeByHand::xor(n, e));
        let mixed = XorLayout::new((m, n), (Xor::new(d), 256));
        check!(tally, mixed, 0, ModeByHand::xor(m, d), ModeByHand::natural(n, 256));
        let dynamic = DynComposedLayout::new(DynSwizzle::IDENTITY, f, mixed.to_dynamic());
        check!(tally, dynamic, f, ModeByHand::xor(m, d), ModeByHand::natural(n, 256));
        let swizzle = DynSwizzle::new(2, random(3) as u32, [2, 3, -2][random(3)]).unwrap();
        let through = |offset| swizzle.apply(offset);
        let swizzled = ComposedLayout::new(swizzle, f, l);
        check!(tally, swizzled, f, ModeByHand::xor(m, d), ModeByHand::xor(n, e), through);
        let dynamic = DynComposedLayout::new(swizzle, f, l.to_dynamic());
        check!(tally, dynamic, f, ModeByHand::xor(m, d), ModeByHand::xor(n, e), through);
        if round % 4 == 0 {
            windows!(tally, l, d, e);
            windows!(tally, DynComposedLayout::new(DynSwizzle::IDENTITY, 0, l.to_dynamic()), d, e);
        }
    }
    println!("{} kept, {} refused", tally.kept, tally.refused);
    assert!(tally.kept > crate::at_least(7_000) && tally.refused > crate::at_least(3_500));
}

/// Ranges of nested modes: whatever is not refused is right, and what is one run is what its one leaf is.
#[test]
fn ranges_of_nested_modes() {
    let (mut kept, mut refused) = (0, 0);
    let texts = [
        "((3,2),3):((^1,^3),^8)",
        "((2,4),2):((^4,8),^1)",
        "((4,4),2):((^1,0),^16)",
        "((2,2),3):((^1,^2),^8)",
        "((2,2),3):((^1,^6),^8)",
        "((2,3,2),2):((^5,^10,^64),^1)",
        "((4,2),2):((16,^1),^2)",
        "((2,1,4),2):((^3,^7,^6),^1)",
        "((2,2,2),2):((^1,^2,^8),16)",
        "((1,8),2):((^4,^3),^64)",
    ];
    for text in texts {
        let l: DynLayout = text.parse().unwrap();
        let composed = DynComposedLayout::new(DynSwizzle::IDENTITY, 0, l.clone());
        let data: Vec<usize> = (0..l.cosize()).collect();
        let t = Tensor::new(&data[..], composed).unwrap();
        let size = l.mode(0).unwrap().size();
        for (a, b) in (0..=size).flat_map(|a| (a..=size).map(move |b| (a, b))) {
            match t.try_slice((a..b, 1)) {
                Ok(part) => {
                    let by_hand: Vec<usize> = (a..b).map(|i| l.index((i, 1))).collect();
                    assert_eq!(part.iter().copied().collect::<Vec<_>>(), by_hand, "{text} at {a}..{b}");
                    kept += 1;
                }
                Err(error) => {
                    // No layout of the same strides has these offsets, from the first one on. After 3 steps no XOR mode
                    // goes on, nor into a natural one, though the next number may lie where it would.
                    assert_eq!(error.kind().as_str(), "divisibility", "{error}");
                    let right = texts[..3].contains(&text) || !of_these_strides(&l, a, b);
                    assert!(right, "{text} at {a}..{b}: {error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(kept > 150 && refused > 100, "{kept} kept, {refused} refused");
}
/// Whether some extents make of the strides of mode 0 the range `a..b` of it, XORed with its first offset.
fn of_these_strides(l: &DynLayout, a: usize, b: usize) -> bool {
    let mode = l.mode(0).unwrap();
    let strides: Vec<String> = mode.strides().map(|stride| stride.to_string()).collect();
    let extents = mode.shape().leaves().to_vec();
    let wanted: Vec<usize> = (a..b).map(|i| mode.index(i) ^ mode.index(a)).collect();
    let mut tried = vec![vec![]];
    for _ in &extents {
        tried = tried.iter().flat_map(|some| (1..=b - a).map(move |n| [&some[..], &[n]].concat())).collect();
    }
    tried.iter().filter(|tried| tried.iter().product::<usize>() == b - a).any(|tried| {
        let extents: Vec<String> = tried.iter().map(usize::to_string).collect();
        let text = format!("({}):({})", extents.join(","), strides.join(","));
        text.parse::<DynLayout>().is_ok_and(|part| (0..b - a).all(|i| part.index(i) == wanted[i]))
    })
}

/// A `DynLayout` by itself has slices to whose offsets what is fixed is added: where a tile would need a XOR, none is
/// handed out, and not some of them.
#[test]
fn tiles_of_a_dyn_layout_are_all_there_or_refused() {
    let (mut all, mut none) = (0, 0);
    for (d, e) in (0..16).flat_map(|d| (0..40).map(move |e| (d, e))) {
        let l: DynLayout = format!("(4,4):(^{d},^{e})").parse().unwrap();
        let mut t = Tensor::new((0..l.cosize()).collect::<Vec<_>>(), l.clone()).unwrap();
        let right =
            |tile: &[usize], i: usize, j: usize| (0..4).all(|k| tile[k] == l.index((2 * i + k % 2, 2 * j + k / 2)));
        let mut seen = Vec::new();
        macro_rules! judge {
            ($tiles:expr) => {
                match $tiles {
                    Ok(tiles) => {
                        let len = tiles.len();
                        let tiles: Vec<Vec<usize>> = tiles.map(|tile| tile.iter().copied().collect()).collect();
                        assert_eq!((len, tiles.len()), (4, 4), "{l}");
                        assert!(tiles.iter().enumerate().all(|(k, tile)| right(tile, k % 2, k / 2)), "{l}");
                        all += 1;
                        seen.push(true);
                    }
                    Err(error) => {
                        assert_eq!(error.kind().as_str(), "overlap", "{error}");
                        none += 1;
                        seen.push(false);
                    }
                }
            };
        }
        judge!(t.try_tiles(tiler!(2, 2)));
        judge!(t.try_ragged_tiles(tiler!(2, 2)));
        assert_eq!(seen[0], seen[1], "{l}");
        judge!(t.try_tiles_mut(tiler!(2, 2)));
        judge!(t.try_ragged_tiles_mut(tiler!(2, 2)));
        assert_eq!(seen[2], seen[3], "{l}");
        assert!(seen[0] || !seen[2], "{l}");
    }
    assert!(all > 100 && none > 100, "{all} handed out, {none} refused");
}
