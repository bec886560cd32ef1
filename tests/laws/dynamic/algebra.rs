//! Coalesce, filter, complement, inverses, recast, round_up, swizzle.

use proptest::prelude::*;
use proptest::sample::select;

use super::brute::{Plain, Tree, image, is_injective, offsets, sorted};
use super::generate::{layout, pair, shape, small_layout};
use layout_algebra::prelude::*;

/// The offset of `i`, which may lie beyond the size: the last mode goes on.
fn beyond(modes: &[(usize, usize)], mut i: usize) -> usize {
    let (&(_, last), before) = modes.split_last().expect("a mode");
    let mut offset = 0;
    for &(s, d) in before {
        offset += i % s * d;
        i /= s;
    }
    offset + i * last
}

proptest! {
    #[test]
    fn coalesce_keeps_the_function_in_the_fewest_modes(a in layout(4)) {
        let c = a.to_layout().coalesce();
        prop_assert_eq!(offsets(&c), a.offsets());
        prop_assert!(c.depth() <= 1);
        let modes = Plain::of(&c).modes();
        prop_assert!(modes.len() == 1 || modes.iter().all(|&(s, _)| s != 1));
        prop_assert!(modes.windows(2).all(|w| w[1].1 != w[0].0 * w[0].1), "{}", c);
    }

    #[test]
    fn coalesce_z_keeps_the_function_beyond_the_size(a in layout(4)) {
        let c = Plain::of(&a.to_layout().coalesce_z()).modes();
        for i in 0..3 * a.size() {
            prop_assert_eq!(beyond(&c, i), beyond(&a.modes(), i), "{:?} at {}", c, i);
        }
        let inner = &c[..c.len() - 1];
        prop_assert!(inner.iter().all(|&(s, _)| s != 1) && c.windows(2).all(|w| w[1].1 != w[0].0 * w[0].1), "{:?}", c);
    }

    #[test]
    fn coalesce_by_keeps_the_function_of_each_mode(a in layout(4)) {
        let l = a.to_layout();
        for named in 1..=l.rank() {
            let profile = Tree::Tuple(vec![Tree::Leaf(1); named]).to_shape();
            let c = l.coalesce_by(&profile).unwrap();
            prop_assert_eq!(c.rank(), l.rank());
            for k in 0..l.rank() {
                let (before, after) = (a.mode(k), Plain::of(&c).mode(k));
                prop_assert_eq!(after.offsets(), before.offsets());
                let kept = after == before;
                prop_assert!(kept || k < named && after.shape.depth() <= 1);
            }
        }
        let profile = Tree::Tuple(vec![Tree::Leaf(1); l.rank() + 1]).to_shape();
        prop_assert_eq!(l.coalesce_by(&profile).unwrap_err().kind(), ErrorKind::Rank);
        // By the own profile: every leaf for itself.
        let own = Plain::of(&l.coalesce_by(&l.shape()).unwrap());
        prop_assert_eq!(own.shape, a.shape);
    }

    #[test]
    fn a_sum_is_taken_element_by_element(a in layout(4), b in layout(4), same in any::<bool>()) {
        let (a, mut b) = (a.to_layout(), b.to_layout());
        if same {
            // One size: the left layout's shape with the strides of another layout, all on one
            // level.
            let strides: Vec<usize> = Plain::of(&b).modes().into_iter().map(|(_, d)| d).collect();
            let leaves = a.shape().leaves().to_vec();
            let strides = (0..leaves.len()).map(|k| DynShape::from(strides[k % strides.len()]));
            let shape = DynShape::tuple(leaves.iter().map(|&s| DynShape::from(s))).unwrap();
            b = DynLayout::new(shape, DynShape::tuple(strides).unwrap()).unwrap();
        }
        match a.layout_add(&b) {
            Ok(sum) => {
                let expected: Vec<usize> = offsets(&a).into_iter().zip(offsets(&b)).map(|(x, y)| x + y).collect();
                prop_assert_eq!(offsets(&sum), expected, "{}", sum);
                prop_assert_eq!(sum.coalesce(), sum);
            }
            Err(error) if a.size() != b.size() => prop_assert_eq!(error.kind(), ErrorKind::Profile),
            Err(error) => prop_assert_eq!(error.kind(), ErrorKind::Divisibility),
        }
        prop_assert_eq!(a.layout_add(&b).ok(), b.layout_add(&a).ok());
    }

    #[test]
    fn both_shapes_compose_with_their_common_domain(a in layout(4), b in layout(4)) {
        let (a, b) = (a.to_layout(), b.to_layout());
        let common = a.greatest_common_domain(&b);
        prop_assert_eq!(&common, &b.greatest_common_domain(&a));
        prop_assert_eq!(&Ok(common.clone()), &a.shape().greatest_common_domain(&b.shape()));
        for l in [a, b] {
            // Not only the compact layout: any layout of the shape composes.
            for layout in [DynLayout::left(&l.shape()), l] {
                let composed = layout.compose(&common);
                prop_assert!(composed.is_ok(), "{} with {}: {:?}", layout, common, composed);
                let composed = composed.unwrap();
                prop_assert!((0..common.size()).all(|i| composed.index(i) == layout.index(common.index(i))));
            }
        }
    }

    #[test]
    fn filter_keeps_the_image(a in layout(4)) {
        let f = a.to_layout().filter();
        prop_assert_eq!(image(offsets(&f)), image(a.offsets()));
        prop_assert!(f.size() == 1 || Plain::of(&f).modes().iter().all(|&(s, d)| s != 1 && d != 0));
        let by_mode = a.to_layout().filter_by(&Tree::Tuple(vec![Tree::Leaf(1)]).to_shape()).unwrap();
        prop_assert_eq!(image(Plain::of(&by_mode).mode(0).offsets()), image(a.mode(0).offsets()));
    }

    #[test]
    fn flatten_keeps_the_function(a in layout(4)) {
        let f = a.to_layout().flatten();
        prop_assert_eq!(offsets(&f), a.offsets());
        prop_assert!(f.depth() <= 1);
        prop_assert_eq!(f.shape(), a.shape.to_shape().flatten());
    }

    #[test]
    fn a_complement_is_a_bijection_and_ordered(a in small_layout(4), times in 1usize..4, aligned in any::<bool>()) {
        let l = a.to_layout();
        let span = a.modes().iter().filter(|&&(s, d)| s != 1 && d != 0).map(|&(s, d)| s * d).max().unwrap_or(1);
        let extent = times * if aligned { span } else { a.size() * l.cosize() };
        if let Ok(x) = l.complement(extent) {
            let both = DynLayout::tuple(&[l.filter(), x.clone()]).unwrap();
            prop_assert_eq!(sorted(offsets(&both)), (0..extent).collect::<Vec<_>>(), "{}", x);
            let strides: Vec<usize> = Plain::of(&x).modes().into_iter().filter(|m| m.0 != 1).map(|m| m.1).collect();
            prop_assert!(strides.windows(2).all(|w| w[0] < w[1]), "{}", x);
        }
    }

    #[test]
    fn complement_ceil_rounds_to_the_next_extent(a in small_layout(4), extent in 1usize..200) {
        let l = a.to_layout();
        let span = a.modes().iter().filter(|&&(s, d)| s != 1 && d != 0).map(|&(s, d)| s * d).max().unwrap_or(1);
        match l.complement_ceil(extent) {
            Ok(x) => prop_assert_eq!(Ok(x), l.complement(extent.div_ceil(span) * span)),
            Err(error) => prop_assert_eq!(error.kind(), l.complement(span).unwrap_err().kind()),
        }
    }

    #[test]
    fn a_right_inverse_is_taken_back(a in layout(4)) {
        let inverse = a.to_layout().right_inverse();
        let back: Vec<usize> = offsets(&inverse).into_iter().map(|v| a.at(v)).collect();
        prop_assert_eq!(back, (0..inverse.size()).collect::<Vec<_>>(), "{}", inverse);
    }

    #[test]
    fn a_left_inverse_takes_back(a in layout(4)) {
        if let Ok(inverse) = a.to_layout().left_inverse() {
            let inverse = Plain::of(&inverse);
            let values = a.offsets();
            for (i, &v) in values.iter().enumerate() {
                prop_assert_eq!(a.at(inverse.at(v)), v, "{}", inverse.text());
                prop_assert!(!is_injective(&values) || inverse.at(v) == i, "{}", inverse.text());
            }
        }
    }

    #[test]
    fn the_nullspace_goes_to_0(a in layout(4)) {
        let null = a.to_layout().nullspace();
        prop_assert!(offsets(&null).into_iter().all(|v| a.at(v) == 0), "{}", null);
        prop_assert_eq!(null.size(), a.modes().iter().filter(|m| m.1 == 0).map(|m| m.0).product::<usize>());
        prop_assert!(is_injective(&offsets(&null)));
    }

    #[test]
    fn max_common_layout_counts_in_both((a, b) in pair(), same in any::<bool>()) {
        let (l, m) = (a.to_layout(), if same { a.to_layout() } else { b.to_layout() });
        let common = l.max_common_layout(&m);
        for (i, v) in offsets(&common).into_iter().enumerate() {
            prop_assert_eq!((a.at(v), Plain::of(&m).at(v)), (i, i), "{}", common);
        }
        prop_assert_eq!(l.max_common_vector(&m), common.size());
        prop_assert!(common.size() <= l.size().min(m.size()), "{}", common);
        if same {
            prop_assert_eq!(common.size(), l.right_inverse().size());
        }
    }

    #[test]
    fn layouts_refine_to_one_shape_of_the_fewest_modes((a, b) in pair()) {
        let (l, m) = (a.to_layout(), b.to_layout());
        let shape = l.shape();
        let others = [DynLayout::right(&shape), DynLayout::left(&l.size().into())];
        let refined = DynLayout::mutual_refinement(&[&l, &others[0], &others[1]]);
        refines(&[&l, &others[0], &others[1]], &refined.expect("the shape refines itself"));
        // Of two shapes there may be none.
        let all = [(&l, m.size()), (&m, l.size())].map(|(l, n)| l.append(&DynLayout::left(&n.into())).expect("a mode"));
        if let Ok(refined) = DynLayout::mutual_refinement(&[&all[0], &all[1]]) {
            refines(&[&all[0], &all[1]], &refined);
        }
    }

    #[test]
    fn upcast_regroups_offsets(a in layout(4), n in select(vec![1usize, 2, 3, 4, 6, 8])) {
        if let Ok(x) = a.to_layout().upcast(n) {
            prop_assert_eq!(image(offsets(&x)), image(a.offsets().into_iter().map(|v| v / n).collect()), "{}", x);
        }
    }

    #[test]
    fn downcast_splits_offsets_and_upcast_takes_it_back(a in layout(4), n in select(vec![1usize, 2, 3, 4, 8])) {
        let units = a.modes().into_iter().filter(|&(s, d)| s != 1 && d == 1).count();
        match a.to_layout().downcast(n) {
            Ok(x) => {
                let parts = a.offsets().into_iter().flat_map(|v| (0..n).map(move |k| v * n + k)).collect();
                prop_assert_eq!(image(offsets(&x)), image(parts), "{}", x);
                prop_assert_eq!(offsets(&x.upcast(n).unwrap()), a.offsets(), "{}", x);
                // In equal sizes there is nothing to recast, and not even 1:d becomes 1:0.
                let recast = a.to_layout().recast(8 * n, 8).unwrap();
                prop_assert_eq!(recast, if n == 1 { a.to_layout() } else { x });
            }
            Err(error) => prop_assert!(units != 1 && error.kind() == ErrorKind::UnitStride, "{}", error),
        }
    }

    #[test]
    fn recast_is_an_upcast_and_a_downcast(a in layout(4), from in 1usize..9, to in 1usize..9) {
        let l = a.to_layout();
        let Ok(x) = l.recast(from, to) else { return Ok(()) };
        let common = (1..=from).rev().find(|g| from % g == 0 && to % g == 0).unwrap();
        let (parts, unit) = (from / common, to / common);
        let expected = a.offsets().into_iter().flat_map(|v| (0..parts).map(move |k| v / unit * parts + k));
        let expected = if from == to { a.offsets() } else { expected.collect() };
        prop_assert_eq!(image(offsets(&x)), image(expected), "{}", x);
    }

    #[test]
    fn round_up_pads_as_little_as_it_can_and_then_divides(
        s in shape(3),
        n in 1usize..9,
        m in 1usize..9,
        d in 1usize..4,
    ) {
        prop_assume!(s.depth() > 0);
        let l = DynLayout::left(&s.to_shape());
        let tile: DynTiler =
            if l.rank() == 1 { format!("<{n}:{d}>") } else { format!("<{n}:{d},{m}>") }.parse().unwrap();
        let padded = l.round_up(&tile).unwrap();
        prop_assert_eq!(padded.stride(), l.stride());
        let whole = Plain::of(&l);
        for (k, mode) in Plain::of(&padded).shape.children().iter().enumerate() {
            // What the tile spans in the mode.
            let span = match k { 0 if n > 1 => n * d, 1 => m, _ => 1 };
            let before = whole.mode(k).shape;
            prop_assert_eq!(mode.size() % span, 0);
            // Only the last leaf grew, and by no more than it had to.
            let (old, new) = (before.leaves(), mode.leaves());
            let (last, others) = (old.len() - 1, old[..old.len() - 1].iter().product::<usize>());
            prop_assert_eq!(&old[..last], &new[..last]);
            prop_assert!(new[last] >= old[last]);
            prop_assert!((old[last]..new[last]).all(|extent| others * extent % span != 0));
        }
        // (0..old): the coordinates of the layout keep their offsets.
        for c in l.coords() {
            prop_assert_eq!(padded.index(&c), l.index(&c));
        }
        // A mode of one leaf divides whatever its stride; of several, composition may carry.
        if s.depth() <= 1 {
            prop_assert!(padded.zipped_divide(&tile).is_ok(), "{} by {}", padded, tile);
        }
    }

    #[test]
    fn a_swizzle_is_a_bijection_and_its_own_inverse(
        bits in 0u32..5,
        base in 0u32..4,
        apart in 0i32..4,
        left in any::<bool>(),
    ) {
        let shift = if left { -(bits as i32 + apart) } else { bits as i32 + apart };
        let swizzle = DynSwizzle::new(bits, base, shift).unwrap();
        // All bits that take part lie below this.
        let end = 1usize << (bits + base + shift.unsigned_abs());
        prop_assert_eq!(sorted((0..end).map(|x| swizzle.apply(x)).collect()), (0..end).collect::<Vec<_>>());
        for x in 0..end {
            prop_assert_eq!(swizzle.apply(swizzle.apply(x)), x);
            // Bit by bit: bit i of the target range is XORed with the bit |S| away.
            let (low, from) = (base as i32 + (-shift).max(0), base as i32 + shift.max(0));
            let flips = (0..bits as i32).map(|i| (x >> (from + i) & 1) << (low + i)).sum::<usize>();
            prop_assert_eq!(swizzle.apply(x), x ^ flips);
        }
    }
}

/// All results have one shape, are the same functions, and have no two modes that go on in one
/// another everywhere.
fn refines(layouts: &[&DynLayout], refined: &[DynLayout]) {
    for (l, r) in layouts.iter().zip(refined) {
        assert_eq!((l.size(), refined[0].shape()), (r.size(), r.shape()));
        assert!((0..l.size()).all(|i| l.index(i) == r.index(i)), "{l} {r}");
    }
    let (extents, strides) =
        (refined[0].shape(), refined.iter().map(|r| r.stride()).collect::<Vec<_>>());
    for k in 1..extents.leaves().len() {
        let continues = |d: &DynShape| extents.leaves()[k - 1] * d.leaves()[k - 1] == d.leaves()[k];
        assert!(!strides.iter().all(continues), "{refined:?}");
    }
}

/// A left inverse reads digits: it is refused where strides do not divide one another, whether or
/// not there is one.
#[test]
fn a_left_inverse_wants_multiples_of_the_stride_below() {
    let l: DynLayout = "(2,2):(24,5)".parse().unwrap();
    let error = l.left_inverse().unwrap_err();
    assert_eq!(error.fault(), Fault::Strides { stride: 24, below: 5 });
}

/// Modes `2:4^k`, so that none goes on where another stops: 2 bits apart, of which each covers one.
fn spread(modes: usize) -> DynLayout {
    let list = |number: &dyn Fn(usize) -> usize| {
        let numbers: Vec<String> = (0..modes).map(|k| number(k).to_string()).collect();
        format!("({})", numbers.join(","))
    };
    format!("{}:{}", list(&|_| 2), list(&|k| 1 << (2 * k))).parse().unwrap()
}

/// Up to 8 modes need no heap, and are written another way.
#[test]
fn short_and_long_lists_obey_the_same_laws() {
    for modes in [1, 2, 6, 7, 8, 9, 10] {
        let layout = spread(modes);
        let coalesced = layout.coalesce();
        assert_eq!(
            (coalesced.rank(), coalesced.size(), coalesced.cosize()),
            (modes, layout.size(), layout.cosize())
        );
        assert!((0..layout.size()).all(|i| coalesced.index(i) == layout.index(i)));

        let extent = 1 << (2 * modes);
        let free = layout.complement(extent).unwrap();
        assert_eq!((free.rank(), free.size() * layout.size()), (modes, extent));
        let mut hit = vec![false; extent];
        (0..layout.size()).for_each(|i| {
            (0..free.size()).for_each(|k| hit[layout.index(i) + free.index(k)] = true)
        });
        assert!(hit.into_iter().all(|hit| hit));

        let inverse = layout.left_inverse().unwrap();
        assert!((0..layout.size()).all(|i| inverse.index(layout.index(i)) == i));
        assert_eq!(layout.right_inverse().to_string(), "2:1");
    }
    let one: DynLayout = "(1,1):(3,4)".parse().unwrap();
    assert_eq!(format!("{} {}", one.coalesce(), one.complement(1).unwrap()), "1:0 1:0");
}
