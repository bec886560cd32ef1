//! Strides of every kind by brute force: all layouts of up to two small modes of each pair of
//! kinds. Golden files compare other operations with the specification; these operations are not in
//! golden files.

use std::collections::BTreeSet;

use layout_algebra::DynStride::{Natural, Negative, Xor};
use layout_algebra::prelude::*;
use proptest::prelude::*;

/// Each layout of two modes with these extents and strides of all kinds whose strides have a
/// meaning together.
fn small_layouts() -> Vec<DynLayout> {
    let strides: Vec<_> =
        (0..7).map(Natural).chain((1..7).map(Negative)).chain((1..7).map(Xor)).collect();
    let mut all = Vec::new();
    for (s, t) in [(1, 3), (2, 2), (2, 4), (3, 2), (4, 2), (4, 4)] {
        for &d in &strides {
            all.extend(
                strides.iter().filter_map(|&e| DynLayout::with_strides((s, t), [d, e]).ok()),
            );
        }
    }
    all
}

fn offsets(layout: &DynLayout) -> Vec<isize> {
    (0..layout.size()).map(|i| layout.signed_index(i)).collect()
}

#[test]
fn strides_of_other_kinds_are_read_as_they_are_written() {
    let layouts = small_layouts();
    assert!(layouts.len() > 1000, "{}", layouts.len());
    for l in layouts {
        assert_eq!(l.to_string().parse::<DynLayout>().as_ref(), Ok(&l));
        assert_eq!(DynLayout::with_strides(l.shape(), l.strides()), Ok(l));
    }
    let zero: DynLayout = "(2,3):(^0,-0)".parse().unwrap();
    assert_eq!(
        (zero.to_string().as_str(), zero.stride().to_string().as_str()),
        ("(2,3):(0,0)", "(0,0)")
    );
    for (text, byte) in
        [("4:^", 3), ("4:-", 3), ("^4:1", 0), ("(4,6):(1,^)", 10), ("4:--1", 3), ("4:^_", 3)]
    {
        let error = text.parse::<DynLayout>().unwrap_err();
        assert_eq!((error.kind(), error.byte()), (ErrorKind::Parse, Some(byte)), "{text}: {error}");
    }
}

#[test]
fn sum_and_xor_of_the_parts_of_a_layout_are_the_same() {
    for l in small_layouts() {
        let strides: Vec<_> = l.strides().collect();
        let (shape, size) = (l.shape(), l.size());
        for i in 0..size {
            let c = [i % shape.leaves()[0], i / shape.leaves()[0]];
            let clmul = |c: usize, d: usize| {
                (0..4).filter(|k| c >> k & 1 == 1).fold(0, |all, k| all ^ d << k)
            };
            let terms = c.iter().zip(&strides).map(|(&c, &stride)| match stride {
                Natural(d) => (c as isize * d as isize, 0),
                Negative(d) => (-(c as isize * d as isize), 0),
                Xor(d) => (0, clmul(c, d)),
            });
            let (sum, without) =
                terms.fold((0, 0), |(sum, without), (s, w)| (sum + s, without ^ w));
            assert_eq!(l.signed_index(i), sum + without as isize, "{l} at {i}");
            if without != 0 {
                assert_eq!(sum + without as isize, sum ^ without as isize, "{l} at {i}");
            }
            assert_eq!(l.signed_index((c[0], c[1])), l.signed_index(i));
            assert_eq!(l.try_index(i).ok(), usize::try_from(l.signed_index(i)).ok());
        }
    }
}

#[test]
fn questions_about_other_kinds_are_those_about_their_offsets() {
    for l in small_layouts() {
        let all = offsets(&l);
        let distinct: BTreeSet<isize> = all.iter().copied().collect();
        let (least, most) = (*distinct.first().unwrap(), *distinct.last().unwrap());
        assert_eq!((l.cosize() as isize, l.base() as isize), (most - least + 1, -least), "{l}");
        assert_eq!(l.is_injective(), distinct.len() == all.len(), "{l}");
        assert_eq!(l.is_surjective(), distinct.len() == l.cosize(), "{l}");
        assert_eq!(l.is_bijective(), l.is_injective() && l.is_surjective(), "{l}");
        let moving: usize = l
            .shape()
            .leaves()
            .iter()
            .zip(l.strides())
            .filter(|(_, d)| *d != Natural(0))
            .map(|(&s, _)| s)
            .product();
        assert_eq!(l.is_compact(), l.is_surjective() && moving == l.cosize(), "{l}");
    }
}

/// How many of the first coordinates of the right inverse of `b` lead to 0, 1, 2, .. in `a`, as far
/// as they are whole steps of a mode.
fn most_in_step(a: &DynLayout, b: &DynLayout) -> usize {
    let inverse = b.right_inverse().coalesce();
    let leads_back = |i: &usize| a.signed_index(inverse.index(*i)) == *i as isize;
    let counted = (0..inverse.size().min(a.size())).take_while(leads_back).count();
    let (mut most, mut place) = (1, 1);
    for &extent in inverse.shape().leaves() {
        let steps = extent.min(counted / place);
        most = most.max(place * steps);
        if steps < extent {
            break;
        }
        place *= extent;
    }
    most
}

#[test]
fn what_two_layouts_have_in_common_is_in_step_and_mostly_the_most_of_an_inverse() {
    let all: Vec<_> =
        small_layouts().into_iter().filter(|l| l.strides().any(|d| d != Natural(0))).collect();
    let counting = all.iter().filter(|l| l.right_inverse().size() > 1);
    let (mut common, mut less) = ([0; 2], 0);
    for (k, b) in counting.enumerate() {
        for a in all.iter().skip(k % 7).step_by(7) {
            let natural = a.strides().chain(b.strides()).all(|d| matches!(d, Natural(_)));
            let r = a.max_common_layout(b);
            let of =
                |l: &DynLayout| (0..r.size()).all(|i| l.signed_index(r.index(i)) == i as isize);
            assert!(of(a) && of(b), "{a} and {b}: {r}");
            if !natural {
                let most = most_in_step(a, b);
                assert!(most % r.size() == 0, "{a} and {b}: {r}");
                less += usize::from(r.size() < most);
                common[usize::from(r.size() > 1)] += 1;
            }
        }
    }
    // A part in step that is no mode of a composition is not looked for.
    assert!(common.iter().all(|&pairs| pairs > 500) && less * 20 < common[0], "{common:?} {less}");
    // The whole inverse of the second one has no composition with the first.
    for (a, b, r) in [
        ("(8,8):(1,10)", "(8,8):(^1,^9)", "8:^1"),
        ("(8,8):(^1,^9)", "(8,8):(1,10)", "8:1"),
        ("(2,3):(1,^2)", "8:1", "6:1"),
    ] {
        let (a, b): (DynLayout, DynLayout) = (a.parse().unwrap(), b.parse().unwrap());
        assert_eq!(a.max_common_layout(&b).to_string(), r, "{a} and {b}");
    }
}

#[test]
fn a_slice_of_other_kinds_is_an_offset_and_a_layout_or_nothing() {
    let (mut sliced, mut kept) = (0, 0);
    for l in small_layouts() {
        let (s, t) = (l.shape().leaves()[0], l.shape().leaves()[1]);
        for j in 0..t {
            let fixed: Vec<isize> = (0..s).map(|i| l.signed_index((i, j))).collect();
            match l.slice((.., j)) {
                Ok((row, offset)) => {
                    sliced += 1;
                    assert!(
                        (0..s).all(|i| row.signed_index(i) + offset as isize == fixed[i]),
                        "{l} {j}"
                    );
                }
                Err(error) => {
                    assert!(fixed[0] < 0 || l.strides().any(|d| matches!(d, Xor(_))), "{error}")
                }
            }
        }
        // Ranges and windows: their offset is not negative, and what XOR strides make of it is a
        // sum too. A mode of XOR strides is counted by XOR, though ranges of one like `4:^1` would
        // be layouts if it were counted as `4:1`.
        for (a, b) in (0..s).flat_map(|a| (a + 1..=s).map(move |b| (a, b))) {
            let from = l.signed_index((a, 0));
            let sums = (0..b - a).all(|i| {
                (0..t).all(|j| l.signed_index((a + i, j)) - from == l.signed_index((i, j)))
            });
            let of_bits = matches!(l.strides().next(), Some(Xor(_)));
            let carry = of_bits
                && (0..b - a).any(|i| l.index((a + i, 0)) != l.index((a, 0)) ^ l.index((i, 0)));
            let refused = from < 0 || !sums || carry;
            for part in [l.slice((a..b, ..)), l.window((a, 0), (b - a, t))] {
                assert_eq!(part.is_err(), refused, "{l} at {a}..{b}");
                let Ok((part, offset)) = part else { continue };
                let same = |i, j| {
                    part.signed_index((i, j)) + offset as isize == l.signed_index((a + i, j))
                };
                assert!((0..b - a).all(|i| (0..t).all(|j| same(i, j))), "{l} at {a}..{b}");
                kept += u32::from(l.strides().any(|d| matches!(d, Xor(_))));
            }
        }
    }
    assert!(sliced > 1000 && kept > 1000, "{sliced} {kept}");
}

#[test]
fn ranges_of_all_modes_at_once_are_an_offset_and_the_same_strides_or_nothing() {
    let ranges = |n: usize| (0..n).flat_map(move |a| (a + 1..=n).map(move |b| (a, b)));
    let (mut kept, mut refused, mut fixed) = (0, 0, 0);
    // Negative strides stand beside XOR strides that never move.
    for l in small_layouts() {
        if l.base() != 0 || !l.strides().any(|d| matches!(d, Xor(_))) {
            continue;
        }
        let (s, t) = (l.shape().leaves()[0], l.shape().leaves()[1]);
        let of_bits: Vec<bool> = l.strides().map(|d| matches!(d, Xor(_))).collect();
        // Where numbers of an XOR mode are no XOR of the first one and of those from 0 on.
        let carries = |k: usize, (a, b): (usize, usize)| {
            let at = |i| if k == 0 { l.index((i, 0)) } else { l.index((0, i)) };
            of_bits[k] && (0..b - a).any(|i| at(a + i) != at(a) ^ at(i))
        };
        for ((a, b), (c, d)) in ranges(s).flat_map(|ab| ranges(t).map(move |cd| (ab, cd))) {
            let from = l.index((a, c));
            let each = |same: &dyn Fn(usize, usize) -> bool| {
                (0..b - a).all(|i| (0..d - c).all(|j| same(i, j)))
            };
            let sums = each(&|i, j| l.index((a + i, c + j)) == from + l.index((i, j)));
            let right = sums && !carries(0, (a, b)) && !carries(1, (c, d));
            for part in [l.slice((a..b, c..d)), l.window((a, c), (b - a, d - c))] {
                assert_eq!(part.is_ok(), right, "{l} at {a}..{b}, {c}..{d}");
                match part {
                    Ok((part, offset)) => {
                        let same = |i, j| part.index((i, j)) + offset == l.index((a + i, c + j));
                        assert!(each(&same), "{l} at {a}..{b}, {c}..{d}");
                        assert!(
                            part.strides().eq(l.strides()),
                            "{l} at {a}..{b}, {c}..{d}: {part}"
                        );
                        kept += 1;
                    }
                    Err(error) => {
                        let because = ["divisibility", "overlap"].contains(&error.kind().as_str());
                        assert!(because, "{error}");
                        refused += 1;
                    }
                }
            }
            // A number in the other mode, as the range of it alone.
            if d == c + 1 {
                let of_one = l.slice((a..b, c)).map(|(row, offset)| (row.size(), offset)).ok();
                assert_eq!(
                    of_one,
                    l.slice((a..b, c..d)).map(|(part, offset)| (part.size(), offset)).ok(),
                    "{l}"
                );
                fixed += 1;
            }
        }
    }
    assert!(kept > 10_000 && refused > 5_000 && fixed > 5_000, "{kept} {refused} {fixed}");
}

#[test]
fn the_steps_of_a_nullspace_go_together() {
    // The steps 40 and 48 of modes that stand still have bits of those along which XOR strides
    // cancel out: 19, 28, 11 and 22. The last one shares bits with 11 too, so that neither sums nor
    // XORs of all three are a layout.
    for (l, null) in [
        ("(8,5,3):(^6,^5,0)", "(3,2):(40,19)"),
        ("(4,2,6,2):(^16,^12,^4,0)", "(2,2):(48,28)"),
        ("(8,5,6):(^8,^24,0)", "(6,2):(40,11)"),
    ] {
        let (l, null): (DynLayout, DynLayout) = (l.parse().unwrap(), null.parse().unwrap());
        assert_eq!(l.nullspace(), null, "{l}");
        assert!(
            null.is_injective() && (0..null.size()).all(|i| l.index(null.index(i)) == 0),
            "{l}: {null}"
        );
    }
    let strides: Vec<_> = (0..7).map(Natural).chain((1..7).map(Xor)).collect();
    let mut larger = 0;
    for (s, t, u) in [(4, 5, 3), (8, 3, 2), (5, 4, 2), (2, 5, 4)] {
        for n in 0..strides.len().pow(3) {
            let stride = [n, n / strides.len(), n / strides.len().pow(2)]
                .map(|k| strides[k % strides.len()]);
            let Ok(l) = DynLayout::with_strides((s, t, u), stride) else { continue };
            let (null, still) = (l.nullspace(), l.strides().zip(l.shape().leaves().to_vec()));
            let still: usize =
                still.filter(|(d, _)| *d == Natural(0)).map(|(_, extent)| extent).product();
            assert!(
                null.is_injective() && (0..null.size()).all(|i| l.index(null.index(i)) == 0),
                "{l}: {null}"
            );
            assert!(null.size() >= still, "{l}: {null}");
            larger += usize::from(null.size() > still);
        }
    }
    assert!(larger > 300, "{larger}");
}

#[test]
fn a_layout_is_converted_if_and_only_if_the_other_kind_says_its_offsets() {
    let strides: Vec<_> = (0..10)
        .map(Natural)
        .chain((1..10).map(Xor))
        .chain([Negative(1), Negative(3), Natural(12), Xor(20)])
        .collect();
    let mut converted = [[0; 2]; 2];
    for (s, t) in [(0, 5), (3, 0), (3, 3), (5, 2), (3, 6), (4, 5), (1, 7), (2, 8)] {
        let pairs = strides.iter().flat_map(|&d| strides.iter().map(move |&e| [d, e]));
        for l in pairs.filter_map(|pair| DynLayout::with_strides((s, t), pair).ok()) {
            let at = |i: usize, j: usize| l.signed_index((i, j));
            // What one step of each mode goes, and all others if they are counted so.
            let (d, e) = (
                if s > 1 && t > 0 { at(1, 0) } else { 0 },
                if t > 1 && s > 0 { at(0, 1) } else { 0 },
            );
            let times = |c: usize, d: isize| {
                (0..4).filter(|bit| c >> bit & 1 == 1).fold(0, |all, bit| all ^ d << bit)
            };
            let every =
                |same: &dyn Fn(usize, usize) -> bool| (0..s).all(|i| (0..t).all(|j| same(i, j)));
            let sums = every(&|i, j| at(i, j) == i as isize * d + j as isize * e);
            let without =
                (d >= 0 && e >= 0) && every(&|i, j| at(i, j) == times(i, d) ^ times(j, e));
            for (k, (other, is_there)) in
                [(l.natural(), sums), (l.linear(), without)].into_iter().enumerate()
            {
                assert_eq!(other.is_ok(), is_there, "{l}");
                converted[k][usize::from(is_there)] += 1;
                let Ok(other) = other else { continue };
                assert!(every(&|i, j| other.signed_index((i, j)) == at(i, j)), "{l}: {other}");
                let of_kind = |stride| {
                    if k == 0 {
                        !matches!(stride, Xor(_))
                    } else {
                        matches!(stride, Xor(_) | Natural(0))
                    }
                };
                assert!(other.strides().all(of_kind), "{l}: {other}");
            }
        }
    }
    assert!(converted.iter().flatten().all(|&count| count > 300), "{converted:?}");
    // Of what is swizzled too.
    let empty: DynComposedLayout = "Sw<1,0,1> o 4 o (3,0):(1,1)".parse().unwrap();
    assert_eq!(empty.linear().unwrap().to_string(), "(3,0):(^1,^1)");
}

/// There and back: as an XOR layout, from there as a natural one, and behind a swizzle. All of
/// these are linear over the bits of a coordinate, so that two of them are the same function if
/// they are at each bit.
fn goes_there_and_back(modes: &[(u32, u32)], swizzle: DynSwizzle) {
    let powers = |of: fn(&(u32, u32)) -> u32| -> Vec<_> {
        modes.iter().map(|m| (1_usize << of(m)).to_string()).collect()
    };
    let (s, d) = (powers(|m| m.0), powers(|m| m.1));
    let text = |sign: &str| format!("({}):({sign}{})", s.join(","), d.join(&format!(",{sign}")));
    let plain: DynLayout = text("").parse().unwrap();
    let linear = plain.linear().unwrap();
    assert_eq!(linear.to_string(), text("^"));
    assert_eq!(linear.natural().as_ref(), Ok(&plain), "{linear}");
    let swizzled = DynComposedLayout::new(swizzle, 0, plain.clone());
    let of_swizzled = swizzled.linear().unwrap();
    let back = of_swizzled.swizzled().unwrap();
    for i in (0..plain.size().ilog2()).map(|bit| 1 << bit).chain([
        0,
        plain.size() - 1,
        plain.size() / 7 * 5,
    ]) {
        assert_eq!(linear.index(i), plain.index(i), "{plain} at {i}");
        let [at, again] = [of_swizzled.index(i), back.at(i)];
        assert_eq!([at, again], [swizzled.at(i); 2], "{swizzled} at {i}: {of_swizzled}, {back}");
    }
}
/// The modes of these extents in each order of strides, all as powers of two.
fn in_each_order(
    extents: &[u32],
    modes: &mut Vec<(u32, u32)>,
    each: &mut dyn FnMut(&[(u32, u32)]),
) {
    let run = modes.iter().filter(|&&(_, d)| d < u32::MAX).map(|&(s, _)| s).sum();
    if modes.is_empty() {
        modes.extend(extents.iter().map(|&s| (s, u32::MAX)));
    }
    let free: Vec<_> = (0..extents.len()).filter(|&k| modes[k].1 == u32::MAX).collect();
    if free.is_empty() {
        each(modes);
    }
    for k in free {
        modes[k].1 = run;
        in_each_order(extents, modes, each);
        modes[k].1 = u32::MAX;
    }
}
/// The ways to deal `bits` to modes, each of which has one at least.
fn extents_of(bits: u32, most: usize) -> Vec<Vec<u32>> {
    let mut all = if bits > 0 && most > 0 { vec![vec![bits]] } else { Vec::new() };
    for first in 1..bits {
        let behind = if most > 1 { extents_of(bits - first, most - 1) } else { Vec::new() };
        all.extend(behind.into_iter().map(|rest| [vec![first], rest].concat()));
    }
    all
}

/// All compact layouts of powers of two, up to 2^12 elements: from the left and from the right, and
/// with up to four modes, or of up to 2^6 elements, in each order of the modes.
#[test]
fn layouts_of_powers_of_two_go_there_and_back() {
    let swizzles = [(1, 0, 1), (2, 0, 3), (2, 1, -2), (3, 1, 3), (1, 3, -4)];
    let mut count = 0;
    let mut check = |modes: &[(u32, u32)]| {
        let (bits, base, shift) = swizzles[count % swizzles.len()];
        goes_there_and_back(modes, DynSwizzle::new(bits, base, shift).unwrap());
        count += 1;
    };
    for extents in (1..=12).flat_map(|bits| extents_of(bits, 12)) {
        if extents.iter().sum::<u32>() <= 6 || extents.len() <= 4 {
            in_each_order(&extents, &mut Vec::new(), &mut check);
        } else {
            let before = |k: usize| extents[..k].iter().sum();
            let behind = |k: usize| extents[k + 1..].iter().sum();
            let modes = |runs: &dyn Fn(usize) -> u32| {
                (0..extents.len()).map(|k| (extents[k], runs(k))).collect::<Vec<_>>()
            };
            check(&modes(&before));
            check(&modes(&behind));
        }
    }
    assert_eq!(count, 21_374);
}
proptest! {
    /// The same of larger ones, up to 2^40 elements where `usize` has 64 bits, behind any swizzle.
    #[test]
    fn large_layouts_of_powers_of_two_go_there_and_back(
        modes in prop::collection::vec(1_u32..9, 2..8)
            .prop_filter("too large", |all| all.iter().sum::<u32>() <= usize::BITS / 2 + 8),
        order in any::<u64>(),
        (bits, base, shift) in (1_u32..5, 0_u32..20, 5_i32..9),
    ) {
        // Which of those left comes next, by the digits of a number.
        let (mut left, mut order, mut run) = ((0..modes.len()).collect::<Vec<_>>(), order, 0);
        let mut placed = vec![(0, 0); modes.len()];
        while !left.is_empty() {
            let count = left.len();
            let k = left.remove((order % count as u64) as usize);
            order /= count as u64;
            placed[k] = (modes[k], run);
            run += modes[k];
        }
        let shift = if base % 2 == 0 { shift } else { -shift };
        goes_there_and_back(&placed, DynSwizzle::new(bits, base, shift).unwrap());
    }
}

#[test]
fn a_swizzle_of_a_plain_layout_is_a_linear_one_and_back() {
    let mut swizzles = 0;
    for (bits, base, shift) in
        [(1, 0, 1), (1, 0, 2), (2, 0, 2), (2, 0, 3), (3, 0, 3), (2, 1, -2), (3, 1, -3), (3, 2, 4)]
    {
        let swizzle = DynSwizzle::new(bits, base, shift).unwrap();
        for text in [
            "(8,8):(1,8)",
            "(8,8):(8,1)",
            "64:1",
            "(2,4,8):(1,2,8)",
            "(4,16):(16,1)",
            "(8,8,3):(8,1,64)",
        ] {
            let plain: DynLayout = text.parse().unwrap();
            let swizzled = DynComposedLayout::new(swizzle, 0, plain.clone());
            let linear = swizzled.linear().unwrap();
            assert!(plain.shape().compatible(&linear.shape()), "{swizzled}: {linear}");
            let values: Vec<usize> = (0..plain.size()).map(|i| swizzled.at(i)).collect();
            assert_eq!(
                (0..linear.size()).map(|i| linear.index(i)).collect::<Vec<_>>(),
                values,
                "{swizzled}: {linear}"
            );
            let back = linear.swizzled().unwrap();
            assert_eq!(
                (0..plain.size()).map(|i| back.at(i)).collect::<Vec<_>>(),
                values,
                "{linear}: {back}"
            );
            swizzles += 1;
        }
    }
    assert_eq!(swizzles, 48);
    // With what is added before the swizzle, 0 does not go to 0.
    let shifted: DynComposedLayout = "Sw<2,0,2> o 4 o 16:1".parse().unwrap();
    assert_eq!(shifted.linear().unwrap_err().fault(), Fault::SwizzleOffset { offset: 4 });
}

#[test]
fn memory_lies_under_offsets_that_are_not_negative() {
    // What has negative strides is moved first: behind a swizzle that is none, and its base.
    let layout: DynLayout = "(4,6):(-1,4)".parse().unwrap();
    let error = Tensor::new(vec![0; 64], layout.clone()).unwrap_err();
    assert_eq!(error.fault(), Fault::NoNaturalStrides, "{error}");
    assert!(
        Tensor::new(vec![0; 64], DynLayout::left(&DynShape::from(64)))
            .unwrap()
            .with_layout(layout)
            .is_err()
    );
    assert!(
        <StridedLayout<(usize, usize), (usize, usize)>>::try_from(
            "(4,6):(-1,4)".parse::<DynLayout>().unwrap()
        )
        .is_err()
    );
    assert!("(4,6):(-1,4)".parse::<DynLayout>().unwrap().table().is_err());
    // What stands before XOR strides is XORed with their offsets, behind a swizzle too.
    let (xor, swizzle): (DynLayout, _) =
        ("(8,8):(^1,^9)".parse().unwrap(), DynSwizzle::new(3, 0, 3).unwrap());
    let swizzled: DynComposedLayout = "Sw<3,0,3> o 5 o (8,8):(^1,^9)".parse().unwrap();
    assert!((0..64).all(|i| swizzled.at(i) == swizzle.apply(5 ^ xor.index(i))));
    assert_eq!(swizzled.plain(), None);
    assert!(
        swizzled.upcast(1).is_err() && swizzled.composed_under(&"64:2".parse().unwrap()).is_err()
    );
    assert_eq!(Tensor::new(vec![0; 64], swizzled).unwrap_err().fault(), Fault::XorInMemory);
    let beside: DynComposedLayout = "Sw<3,0,3> o 5 o (8,8,2):(^1,^9,64)".parse().unwrap();
    assert_eq!(Tensor::new(vec![0; 128], beside).unwrap_err().fault(), Fault::XorInMemory);
    // `swizzled()` is the way to a tensor.
    let t = Tensor::new((0..64).collect::<Vec<_>>(), xor.swizzled().unwrap()).unwrap();
    assert!((0..64).all(|i| t[i] == xor.index(i)));
    // XOR strides pick the elements of tiles, and of no tensor.
    let plain = DynLayout::left(&DynShape::from(64));
    let tile: DynLayout = "(2,2):(^1,^3)".parse().unwrap();
    let divided = plain.zipped_divide(&tile).unwrap();
    assert!((0..4).all(|i| (0..16).all(|j| divided.index((i, j)) == tile.index(i) + 4 * j)));
    assert!(Tensor::new(vec![0; 64], plain).unwrap().try_zipped_divide(&tile).is_err());
}
