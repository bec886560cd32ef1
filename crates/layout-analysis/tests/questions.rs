//! Each question against its definition, on random layouts of all kinds of strides.

use std::collections::{BTreeMap, BTreeSet};

use layout_algebra::prelude::*;
use layout_algebra::{DynStride, FlatLayout};
use layout_analysis::{Analysis, AxisLayout, Error};
use proptest::collection::vec;
use proptest::prelude::*;

/// Layouts of up to `size` coordinates, of natural and negative strides, or of XOR strides, some
/// beside natural ones.
fn any_layout(size: usize, largest: usize) -> impl Strategy<Value = DynLayout> {
    (vec((0..7usize, 0..=largest, 0..6u8), 1..5), 0..3u8, any::<bool>()).prop_filter_map(
        "strides that go together",
        move |(modes, kind, powers)| {
            let extent = |extent: usize| {
                if powers { [1, 2, 2, 4, 4, 8, 0][extent] } else { [1, 2, 3, 4, 5, 6, 0][extent] }
            };
            let shape: Vec<usize> = modes.iter().map(|mode| extent(mode.0)).collect();
            let stride = |&(_, number, turn): &(usize, usize, u8)| match (kind, turn) {
                (1, 0..3) => DynStride::Negative(number),
                (2, 0..5) => DynStride::Xor(number),
                _ => DynStride::Natural(number),
            };
            let layout = DynLayout::with_strides(shape, modes.iter().map(stride)).ok()?;
            (layout.size() <= size).then_some(layout)
        },
    )
}

fn offsets(layout: &DynLayout) -> Vec<i128> {
    (0..layout.size()).map(|i| layout.signed_index(i) as i128).collect()
}

/// All ways to write a number as a product of numbers above 1, in any order.
fn factors(number: usize) -> Vec<Vec<usize>> {
    if number <= 1 {
        return vec![vec![]];
    }
    let first = (2..=number).filter(|first| number % first == 0);
    first
        .flat_map(|first| {
            factors(number / first).into_iter().map(move |rest| [vec![first], rest].concat())
        })
        .collect()
}

/// Whether some list of modes has these values.
fn is_layout(values: &[i128]) -> bool {
    factors(values.len()).iter().any(|extents| {
        (0..values.len()).all(|i| {
            let (mut rest, mut step, mut sum) = (i, 1, 0);
            for extent in extents {
                sum += (rest % extent) as i128 * values[step];
                (rest, step) = (rest / extent, step * extent);
            }
            values[i] == sum
        })
    })
}

proptest! {
    #[test]
    fn coverage_counts_offsets(layout in any_layout(5000, 40)) {
        let mut counts = BTreeMap::new();
        offsets(&layout).into_iter().for_each(|offset| *counts.entry(offset).or_insert(0usize) += 1);
        let found = layout.coverage().expect("small");
        prop_assert_eq!(found.offsets, counts.len());
        prop_assert_eq!(found.sharing, counts.values().copied().max().unwrap_or(0));
        let span = counts.keys().next_back().zip(counts.keys().next()).map_or(0, |(last, first)| last - first + 1);
        let from_zero = counts.keys().next_back().map_or(0, |last| last + 1);
        // Of XOR strides the least offset is 0 too.
        prop_assert_eq!(found.gaps as i128, span.max(from_zero) - found.offsets as i128);
        if layout.strides().all(|stride| matches!(stride, DynStride::Natural(_))) {
            let flat = FlatLayout::of(&layout);
            prop_assert_eq!((found.offsets, found.sharing, found.gaps), (flat.footprint(), flat.aliasing(), flat.gaps()));
        }
    }

    /// As data a layout is the same function, or it is refused and not a panic.
    #[test]
    fn flat_layouts_are_those_that_can_be(layout in any_layout(300, 40), more in 0..40usize) {
        match FlatLayout::try_of(&layout) {
            Ok(flat) => prop_assert!((0..layout.size()).all(|i| flat.at(i) == layout.index(i))),
            Err(_) => {
                let moves = |(extent, stride): (&usize, DynStride)| {
                    *extent > 1 && matches!(stride, DynStride::Negative(number) if number > 0)
                };
                let backwards = layout.shape().leaves().iter().zip(layout.strides()).any(moves);
                prop_assert!(backwards || layout.swizzled().is_err(), "{layout}");
            }
        }
        let long = DynLayout::with_strides(vec![1; more + 1], vec![0usize; more + 1]).expect("a layout");
        prop_assert_eq!(FlatLayout::try_of(&long).is_ok(), more < 32);
    }

    #[test]
    fn segments_are_those_of_each_bit(layout in any_layout(300, 40), element in 1..40usize, segment in 1..70usize) {
        let mut touched = BTreeSet::new();
        for offset in offsets(&layout) {
            touched.extend((0..element as i128).map(|bit| (offset * element as i128 + bit).div_euclid(segment as i128)));
        }
        prop_assert_eq!(layout.segments(element, segment).expect("small"), touched.len());
    }

    #[test]
    fn permutations_are_those_of_the_offsets(layout in permutation_or_not()) {
        let offsets = offsets(&layout);
        let all: BTreeSet<i128> = offsets.iter().copied().collect();
        let is_one = all.iter().copied().eq(0..layout.size() as i128);
        let found = layout.permutation();
        prop_assert_eq!(found.is_ok(), is_one);
        let Ok(found) = found else {
            let Err(Error::NoPermutation { offset, size, .. }) = found else { panic!("{found:?}") };
            let below = (0..size as i128).contains(&offset);
            prop_assert!(below != all.contains(&offset));
            return Ok(());
        };
        let offsets: Vec<usize> = offsets.into_iter().map(|offset| offset as usize).collect();
        prop_assert_eq!(found.images(), &offsets[..]);
        prop_assert_eq!(found.fixed_points().count(), (0..offsets.len()).filter(|&i| offsets[i] == i).count());
        // Exchanges by the numbers of pairs in the wrong order.
        let wrong = (0..offsets.len()).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|&(a, b)| offsets[b] > offsets[a]);
        prop_assert_eq!(found.is_even(), wrong.count() % 2 == 0);
        // The order by applying it again and again.
        let (mut power, mut times) = (offsets.clone(), 1u128);
        while !power.iter().enumerate().all(|(i, &image)| i == image) && times < 3000 {
            power.iter_mut().for_each(|image| *image = offsets[*image]);
            times += 1;
        }
        if times < 3000 {
            prop_assert_eq!(found.order(), Some(times));
        }
        let mut seen = BTreeSet::new();
        for cycle in found.cycles() {
            for (k, &number) in cycle.iter().enumerate() {
                prop_assert_eq!(offsets[number], cycle[(k + 1) % cycle.len()]);
                prop_assert!(seen.insert(number) && number >= cycle[0]);
            }
        }
        prop_assert_eq!(seen.len(), offsets.len());
    }

    #[test]
    fn ranges_are_found_where_there_are_any(
        layout in any_layout(400, 40),
        mode in 0..5usize,
        first in 0..60usize,
        length in 0..30usize,
    ) {
        let (found, range) = (layout.find_range(mode, first..first + length), first..first + length);
        let Ok(whole) = layout.mode(mode) else {
            let refused = matches!(found, Err(Error::Range { size: None, .. }));
            prop_assert!(refused);
            return Ok(());
        };
        if range.end > whole.size() {
            let refused = matches!(found, Err(Error::Range { size: Some(_), .. }));
            prop_assert!(refused);
            return Ok(());
        }
        let is_xor = whole.strides().any(|stride| matches!(stride, DynStride::Xor(_)));
        let start = if length == 0 { 0 } else { whole.signed_index(first) as i128 };
        let values: Vec<i128> = range.clone().map(|i| whole.signed_index(i) as i128 - start).collect();
        match found {
            Ok((part, offset)) => {
                prop_assert_eq!(part.mode(mode).expect("a mode").size(), length);
                let before: usize = layout.modes().take(mode).map(|mode| mode.size()).product();
                for i in 0..part.size() {
                    let (low, digit, high) = (i % before, i / before % length, i / before / length);
                    let whole_number = low + before * (digit + first + whole.size() * high);
                    prop_assert_eq!(part.signed_index(i) + offset, layout.signed_index(whole_number));
                }
            }
            Err(error) => prop_assert!(is_xor || !is_layout(&values), "{error}"),
        }
    }

    #[test]
    fn compositions_are_found_where_there_are_any(a in any_layout(300, 12), b in any_layout(64, 40)) {
        if a.size() > 0 {
            composition(&a, &b)?;
        }
    }

    /// Three modes, of which the last has the stride that two carries at once cancel out with, or
    /// one near it.
    #[test]
    fn compositions_where_carries_cancel(
        (s0, s1, s2) in (2..5usize, 2..5usize, 1..4usize),
        (d0, d1, off) in (0..9usize, 0..9usize, 0..5usize),
        shape in vec(2..5usize, 1..3),
        steps in vec((0..5usize, 0..2usize), 3),
    ) {
        let d2 = (s0 * d0 + s1 * d1).saturating_sub(d1) + usize::from(off == 0);
        let a = DynLayout::with_strides([s0, s1, s2], [d0, d1, d2]).expect("a layout");
        // The middle digit is the largest one, so that a carry into it is one out of it.
        let steps = steps.iter().map(|&(digit, over)| digit % s0 + s0 * (s1 - 1) + s0 * s1 * over);
        let steps: Vec<usize> = steps.take(shape.len()).collect();
        composition(&a, &DynLayout::with_strides(shape, steps).expect("a layout"))?;
    }

    /// Steps along axes: each coordinate is one of the left layout, whose modes are numbered or
    /// nested.
    #[test]
    fn compositions_along_axes_are_those_of_coordinates(
        (shape, strides) in (vec(1..5usize, 4), vec(0..30usize, 4)),
        leaves in vec((1..5usize, 0..6usize, 0..3usize), 1..5),
    ) {
        // ((s0,s1),s2,s3), whose first axis has two modes.
        let text = |of: &[usize]| format!("(({},{}),{},{})", of[0], of[1], of[2], of[3]);
        let a: DynLayout = format!("{}:{}", text(&shape), text(&strides)).parse().expect("a layout");
        let extents: Vec<usize> = leaves.iter().map(|leaf| leaf.0).collect();
        let steps: Vec<(usize, usize)> = leaves.iter().map(|leaf| (leaf.1, leaf.2)).collect();
        let b = AxisLayout::new(&DynShape::from(extents.clone()), &steps).expect("steps");
        prop_assert_eq!(b.to_string().parse::<AxisLayout>().expect("its own text"), b.clone());
        // A mode goes on beyond its size, the first one in its second mode.
        let at = |i: usize| {
            let mut x = b.at(i);
            x.resize(3, 0);
            let first = x[0] % shape[0] * strides[0] + x[0] / shape[0] * strides[1];
            (first + x[1] * strides[2] + x[2] * strides[3]) as i128
        };
        let values: Vec<i128> = (0..b.shape().size()).map(at).collect();
        match a.compose_axes(&b) {
            Ok(found) => {
                prop_assert_eq!(offsets(&found), values);
                prop_assert_eq!(found.rank(), extents.len());
                prop_assert!(found.modes().map(|mode| mode.size()).eq(extents.iter().copied()));
            }
            Err(error) => {
                // Then the first mode crosses its two, and its leaves alone or together are no
                // layout.
                let mut step = 1;
                let mut of_leaves = Vec::new();
                for &extent in &extents {
                    of_leaves.push((0..extent).map(|digit| values[digit * step]).collect::<Vec<_>>());
                    step *= extent;
                }
                let sum = |i: usize| {
                    let mut rest = i;
                    of_leaves.iter().map(|leaf| {
                        let digit = rest % leaf.len();
                        rest /= leaf.len();
                        leaf[digit]
                    }).sum::<i128>()
                };
                let additive = (0..values.len()).all(|i| values[i] == sum(i));
                prop_assert!(!(additive && of_leaves.iter().all(|leaf| is_layout(leaf))), "{a} {b}: {error}");
            }
        }
    }

    #[test]
    fn equations_are_solved_where_there_is_a_solution(b in any_layout(24, 10), a in any_layout(12, 12)) {
        if a.size() > 0 {
            solution(&b, &a)?;
        }
    }

    /// Right sides that have solutions: compositions.
    #[test]
    fn equations_of_compositions_are_solved(b in any_layout(24, 10), x in any_layout(16, 8)) {
        if let Ok(a) = b.compose(&x) {
            let within = (0..x.size()).all(|i| (0..b.size() as isize).contains(&x.signed_index(i)));
            if within && a.size() > 0 {
                prop_assert!(solution(&b, &a)?, "{b} o {x} = {a}");
            }
        }
    }
}

/// Layouts of which many are permutations: compact ones in any order, some with XOR strides or
/// other numbers.
fn permutation_or_not() -> impl Strategy<Value = DynLayout> {
    let compact = (vec(1..6usize, 1..5), vec(any::<u8>(), 4), 0..4u8, 0..9usize).prop_map(
        |(shape, order, turn, other)| {
            let mut modes: Vec<usize> = (0..shape.len()).collect();
            modes.sort_by_key(|&mode| order[mode]);
            let (mut strides, mut reach) = (vec![0; shape.len()], 1);
            for mode in modes {
                strides[mode] = reach;
                reach *= shape[mode];
            }
            if turn == 0 {
                strides[0] = other;
            }
            DynLayout::with_strides(shape, strides).expect("a layout")
        },
    );
    let linear = vec(vec(0..64usize, 1..3), 1..4).prop_filter_map("an XOR layout", |columns| {
        let (bits, mut strides) = (columns.len(), Vec::new());
        for (bit, column) in columns.iter().enumerate() {
            // Triangular with ones on the diagonal, but where the second number says otherwise.
            strides.push(DynStride::Xor(
                (1 << bit) | (column[0] % (1 << bit)) | column.get(1).map_or(0, |other| other % 2),
            ));
        }
        DynLayout::with_strides(vec![2; bits], strides).ok()
    });
    prop_oneof![compact, linear]
}

fn composition(a: &DynLayout, b: &DynLayout) -> Result<(), TestCaseError> {
    let found = a.find_composition(b);
    let coordinates = offsets(b);
    if coordinates.iter().any(|&offset| offset < 0) {
        prop_assert!(found.is_err() || a.compose(b).is_ok());
        return Ok(());
    }
    let is_xor = a.strides().any(|stride| matches!(stride, DynStride::Xor(_)));
    if is_xor && coordinates.iter().any(|&offset| offset >= a.size() as i128) {
        return Ok(());
    }
    // Beyond the size the last mode goes on.
    let shape = a.shape();
    let (last, before) =
        (a.strides().last(), a.size() / shape.leaves().last().copied().unwrap_or(1));
    let at = |offset: i128| {
        let (within, over) = (offset as usize % before, offset as usize / before);
        match last {
            Some(DynStride::Natural(stride)) => {
                a.signed_index(within) as i128 + (over * stride) as i128
            }
            Some(DynStride::Negative(stride)) => {
                a.signed_index(within) as i128 - (over * stride) as i128
            }
            _ => a.signed_index(within + over * before) as i128,
        }
    };
    let values: Vec<i128> = coordinates.iter().map(|&offset| at(offset)).collect();
    match found {
        Ok(found) => {
            prop_assert!(offsets(found.layout()) == values, "{a} o {b} = {}", found.layout());
            let sizes: Vec<usize> = found.cut().iter().map(|cut| cut.iter().product()).collect();
            if b.size() > 0 {
                prop_assert_eq!(sizes, b.shape().leaves().to_vec());
            }
            prop_assert!(b.shape().leaves().len() <= found.layout().shape().leaves().len());
            prop_assert!(found.carries().iter().all(|carries| carries.gained == carries.lost));
            prop_assert_eq!(
                a.compose(b).is_ok() || found.carries().is_empty(),
                found.carries().is_empty()
            );
        }
        Err(Error::NoLayout { .. }) => {
            prop_assert!(a.compose(b).is_err());
            // No factors of the leaves do it: a composition has a stride for each factor, the value
            // there.
            let all =
                b.shape().leaves().iter().fold(vec![vec![]], |all: Vec<Vec<usize>>, &extent| {
                    let longer = |before: Vec<usize>| {
                        factors(extent).into_iter().map(move |f| [before.clone(), f].concat())
                    };
                    all.into_iter().flat_map(longer).collect()
                });
            for extents in all {
                let sum = |i: usize, xor: bool| {
                    let (mut rest, mut step, mut sum) = (i, 1, 0);
                    for extent in &extents {
                        for _ in 0..rest % extent {
                            sum = if xor { sum ^ values[step] } else { sum + values[step] };
                        }
                        (rest, step) = (rest / extent, step * extent);
                    }
                    sum
                };
                prop_assert!(
                    (0..values.len()).any(|i| values[i] != sum(i, false)),
                    "{a} o {b}: {extents:?}"
                );
                if extents.iter().all(|&extent| extent == 2)
                    && values.iter().all(|&value| value >= 0)
                {
                    prop_assert!(
                        (0..values.len()).any(|i| values[i] != sum(i, true)),
                        "{a} o {b}: {extents:?}"
                    );
                }
            }
        }
        Err(error) => prop_assert!(false, "{a} o {b}: {error}"),
    }
    Ok(())
}

/// Compares with all layouts of the size, and says whether there is a solution.
fn solution(b: &DynLayout, a: &DynLayout) -> Result<bool, TestCaseError> {
    let (of_b, of_a) = (offsets(b), offsets(a));
    match b.find_solution(a) {
        Ok(x) => {
            let values = offsets(&x);
            prop_assert_eq!(values.len(), of_a.len());
            for (&value, &offset) in values.iter().zip(&of_a) {
                prop_assert!(
                    (0..of_b.len() as i128).contains(&value) && of_b[value as usize] == offset,
                    "{b} o {x} = {a}"
                );
            }
            Ok(true)
        }
        Err(error) => {
            prop_assert!(!error.is_undecided(), "{error}");
            if let Error::NotReached { coordinate, offset, .. } = error {
                prop_assert!(of_a[coordinate] == offset && !of_b.contains(&offset));
                return Ok(false);
            }
            for extents in factors(of_a.len()) {
                let mut open = vec![vec![]];
                while let Some(strides) = open.pop() {
                    if strides.len() < extents.len() {
                        open.extend(
                            (0..of_b.len()).map(|stride| [&strides[..], &[stride]].concat()),
                        );
                        continue;
                    }
                    for is_xor in [false, true] {
                        let value = |i: usize| {
                            let (mut rest, mut sum) = (i, 0);
                            for (extent, stride) in extents.iter().zip(&strides) {
                                let steps = rest % extent;
                                sum = if is_xor && steps == 1 {
                                    sum ^ stride
                                } else {
                                    sum + steps * stride
                                };
                                rest /= extent;
                            }
                            sum
                        };
                        let xor_of_bits = !is_xor || extents.iter().all(|&extent| extent == 2);
                        let solves = |i: usize| of_b.get(value(i)) == Some(&of_a[i]);
                        prop_assert!(
                            !(xor_of_bits && (0..of_a.len()).all(solves)),
                            "{b} {a}: {extents:?} {strides:?}"
                        );
                    }
                }
            }
            Ok(false)
        }
    }
}

/// All right layouts of two modes under a few left ones: the rule refuses some that are there, and
/// each is found.
#[test]
fn the_rule_refuses_some_that_are_there() {
    let (mut refused, mut found, mut all) = (0, 0, 0);
    for a in ["(2,3,2):(1,3,8)", "(3,2,4):(2,1,7)", "(2,2,2):(1,1,3)", "(4,4):(4,1)"] {
        let a: DynLayout = a.parse().expect("a layout");
        for (s0, s1, d0, d1) in
            (1..5).flat_map(|s0| (1..5).map(move |s1| (s0, s1))).flat_map(|(s0, s1)| {
                (0..12).flat_map(move |d0| (0..12).map(move |d1| (s0, s1, d0, d1)))
            })
        {
            let b = DynLayout::new((s0, s1), (d0, d1)).expect("a layout");
            composition(&a, &b).expect("one or the other");
            all += 1;
            if a.compose(&b).is_err() {
                refused += 1;
                found += usize::from(a.find_composition(&b).is_ok());
            }
        }
    }
    println!("of {all} compositions the rule refuses {refused}, and {found} of these are there");
    assert!(found > 20 && refused > found);
}

#[test]
fn text_that_is_no_layout_of_coordinates_is_refused() {
    let refused = |text: &str| text.parse::<AxisLayout>().expect_err("a refusal").to_string();
    for (text, why) in [
        ("(4,6)", "there is no `:` before its strides"),
        ("(4,6):(1,1@1)", "the stride 1 has no axis: write 1@0"),
        ("(4,6):(1@,1@1)", "1@ is not followed by the number of an axis"),
        ("4:1@99999999999999999999", "1@ is not followed by the number of an axis"),
        ("(4,6):(1@x,1@1)", "1@ is not followed by the number of an axis"),
    ] {
        assert_eq!(refused(text), format!("{text} is no layout of steps along axes: {why}"));
    }
    for text in [
        "",
        ":",
        "4:",
        ":1@0",
        "(4,6):1@0",
        "(4,6):(1@0,(1@1,1@1))",
        "(4,6):(1@0,-1@1)",
        "4:1@0 x",
        "4:1@0@1",
        "4:1.5@0",
    ] {
        assert!(text.parse::<AxisLayout>().is_err(), "{text}");
    }
    assert_eq!(
        "( 4 , 6 ) : ( 0 , 2 @ 1 )".parse::<AxisLayout>().expect("spaces").to_string(),
        "(4,6):(0,2@1)"
    );
    let none = "(4,6):(1,4)"
        .parse::<DynLayout>()
        .expect("a layout")
        .compose_axes(&"4:1@2".parse().expect("steps"));
    assert_eq!(
        none.expect_err("a refusal").to_string(),
        "there are steps along axis 2, and (4,6):(1,4) has rank 2"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Large numbers of any kind: every answer is one, or an error with a sentence.
    #[test]
    fn large_numbers_end_in_answers(
        modes in vec((0..9usize, 0..10usize, 0..3u8), 1..6),
        others in vec((0..9usize, 0..10usize, 0..3u8), 1..4),
        (mode, first, length) in (0..6usize, 0..9usize, 0..9usize),
        (element, segment) in (0..9usize, 0..9usize),
    ) {
        let numbers = [0, 1, 2, 3, 1 << 12, 1 << 31, (1 << 40) - 1, usize::MAX / 2, usize::MAX];
        let layout = |modes: &[(usize, usize, u8)]| {
            let stride = |&(_, number, kind): &(usize, usize, u8)| match kind {
                0 => DynStride::Natural(numbers[number % 9]),
                1 => DynStride::Negative(numbers[number % 9]),
                _ => DynStride::Xor(numbers[number % 9]),
            };
            let shape: Vec<usize> = modes.iter().map(|mode| numbers[mode.0]).collect();
            DynLayout::with_strides(shape, modes.iter().map(stride)).ok()
        };
        let (Some(a), Some(b)) = (layout(&modes), layout(&others)) else { return Ok(()) };
        let mut said = Vec::new();
        said.extend(a.coverage().err());
        said.extend(a.segments(numbers[element], numbers[segment]).err());
        said.extend(a.permutation().err());
        said.extend(a.find_composition(&b).err());
        said.extend(a.find_solution(&b).err());
        let range = numbers[first]..numbers[first].saturating_add(numbers[length]);
        said.extend(a.find_range(mode, range).err());
        said.extend(layout_analysis::BankModel::gfx950().conflicts(&a, &b, numbers[element], numbers[segment]).err());
        prop_assert!(said.iter().all(|error| !error.to_string().is_empty()));
    }
}
