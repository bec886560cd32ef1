//! Operations beyond a copy, compared with a loop over coordinates.

mod random;

use std::collections::BTreeMap;

use bytemuck::Pod;
use half::{bf16, f16};
use layout_algebra::DynStride;
use layout_algebra::prelude::*;
use layout_relayout::{
    ConvertFrom, InstructionSet, Packing, Relayout, RelayoutError, RelayoutFrom, transpose_in_place,
};
use random::{Random, strides};

fn layout(text: &str) -> DynLayout {
    text.parse().unwrap()
}

/// Distinct numbers, some of them negative.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|k| (k * 37 % count) as f32 - count as f32 / 3.0).collect()
}

/// Transposes with extents around the block size, permutations, rows, single elements, sources with
/// stride 0, and destinations that overlap.
const PAIRS: [(&str, &str); 17] = [
    ("(1000,1):(1,1)", "(1000,1):(1,1)"),
    ("(117,2):(2,1)", "(117,2):(1,119)"),
    ("(16,3):(3,1)", "(16,3):(1,17)"),
    ("(90,4,2):(4,1,400)", "(90,4,2):(1,90,360)"),
    ("(3,5):(5,1)", "(3,5):(1,3)"),
    ("(257,65):(65,1)", "(257,65):(1,257)"),
    ("(513,3):(3,1)", "(513,3):(1,520)"),
    ("(64,256):(256,1)", "(64,256):(1,64)"),
    ("(4,5,6,7):(210,42,7,1)", "(4,5,6,7):(30,1,5,120)"),
    ("(300,4):(1,300)", "(300,4):(1,301)"),
    ("(6,7):(7,1)", "(6,7):(2,12)"),
    ("(300,70):(0,1)", "(300,70):(1,300)"),
    ("(40,30):(-30,1)", "(40,30):(1,40)"),
    ("(4,6):(6,1)", "(4,6):(1,2)"),
    ("(8,8):(^1,^9)", "(8,8):(8,1)"),
    ("1:1", "1:1"),
    ("(0,4):(1,1)", "(0,4):(1,1)"),
];

#[test]
fn runs_scaled_and_converted() {
    for (from, to) in PAIRS.map(|(from, to)| (layout(from), layout(to))) {
        let plan = Relayout::plan(&from, &to, 4).unwrap().with_parallel_from(0);
        let place =
            |layout: &DynLayout, i| layout.base().wrapping_add_signed(layout.signed_index(i));
        let source = numbers(from.cosize());
        for (alpha, beta) in [(2.0, 0.0), (0.5, -3.0)] {
            let before = vec![if beta == 0.0 { f32::NAN } else { 1.0 }; to.cosize() + 2];
            let (mut target, mut expected) = (before.clone(), before.clone());
            plan.run_scaled(alpha, &source, beta, &mut target).unwrap();
            for i in 0..from.size() {
                let (x, y) = (source[place(&from, i)], &mut expected[place(&to, i)]);
                *y = if beta == 0.0 { alpha * x } else { alpha * x + beta * *y };
            }
            let same = target.iter().zip(&expected).all(|(x, y)| x.to_bits() == y.to_bits());
            assert!(same, "{from} to {to}:\n{plan}");
        }
        fn converted<D: ConvertFrom<f32> + Pod + PartialEq + Send>(
            plan: &Relayout,
            source: &[f32],
            places: &[(usize, usize)],
            length: usize,
            convert: fn(f32) -> D,
        ) {
            let (mut target, mut expected) = (vec![D::zeroed(); length], vec![D::zeroed(); length]);
            plan.run_converted(source, &mut target).unwrap();
            places.iter().for_each(|&(s, t)| expected[t] = convert(source[s]));
            assert!(target == expected, "{plan}");
            target.fill(D::zeroed());
            plan.run_converted_parallel(source, &mut target).unwrap();
            assert!(target == expected, "on all threads: {plan}");
        }
        let places: Vec<_> = (0..from.size()).map(|i| (place(&from, i), place(&to, i))).collect();
        converted(&plan, &source, &places, to.cosize(), f16::from_f32);
        converted(&plan, &source, &places, to.cosize(), bf16::from_f32);
        converted(&plan, &source, &places, to.cosize(), f64::from);

        // Bytes, with every instruction set, to places at any offset within a line.
        let bytes: Vec<u8> = (0..from.cosize()).map(|k| k as u8).collect();
        for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
            let plan = Relayout::plan(&from, &to, 1).unwrap().with_parallel_from(0);
            let plan = plan.with_instruction_set(set).unwrap();
            for first in [0, 1, 7, 15] {
                let before = vec![7.0; first + to.cosize() + 1];
                let (mut scaled, mut converted, mut expected) =
                    (before.clone(), before.clone(), before);
                let mut expected_converted = expected.clone();
                plan.run_bytes_scaled(&bytes, -0.25, &mut scaled[first..]).unwrap();
                plan.run_converted(&bytes, &mut converted[first..]).unwrap();
                for &(s, t) in &places {
                    expected[first + t] = -0.25 * f32::from(bytes[s]);
                    expected_converted[first + t] = f32::from(bytes[s]);
                }
                let same =
                    |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(same(&scaled, &expected), "{plan}");
                assert!(same(&converted, &expected_converted), "{plan}");
                scaled[first..].fill(7.0);
                plan.run_bytes_scaled_parallel(&bytes, -0.25, &mut scaled[first..]).unwrap();
                assert!(same(&scaled, &expected), "on all threads: {plan}");
            }
        }
    }
}

/// Scales and biases of each mode of random layouts and of images, with every instruction set,
/// compared with a loop over coordinates.
#[test]
fn random_channels() {
    fn check<S: Pod + Into<f32> + Sync>(
        extents: &[usize],
        [from, to]: [&[isize]; 2],
        value: fn(usize) -> S,
    ) {
        let [from, to] = [from, to].map(|strides| random::layout(extents, strides));
        let place =
            |layout: &DynLayout, i| layout.base().wrapping_add_signed(layout.signed_index(i));
        let source: Vec<S> = (0..from.cosize()).map(value).collect();
        for (mode, &count) in extents.iter().enumerate() {
            let scale: Vec<f32> = (0..count).map(|c| 0.3 + c as f32 / 7.0).collect();
            let bias: Vec<f32> = (0..count).map(|c| c as f32 / 3.0 - 1.0).collect();
            let step: usize = extents[..mode].iter().product();
            let mut expected = vec![f32::MAX; to.cosize() + 1];
            for i in 0..from.size() {
                let (c, x) = (i / step % count, source[place(&from, i)].into());
                expected[place(&to, i)] = scale[c] * x + bias[c];
            }
            for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
                let plan = Relayout::plan(&from, &to, size_of::<S>()).unwrap();
                let plan = plan.with_instruction_set(set).unwrap().with_parallel_from(0);
                let mut target = vec![f32::MAX; expected.len()];
                plan.run_by_channel(&source, mode, &scale, &bias, &mut target).unwrap();
                assert!(target == expected, "mode {mode} of {from} to {to}:\n{plan}");
                target.fill(f32::MAX);
                plan.run_by_channel_parallel(&source, mode, &scale, &bias, &mut target).unwrap();
                assert!(target == expected, "all threads, mode {mode}, {from} to {to}:\n{plan}");
            }
        }
    }
    let mut random = Random::seeded();
    for number in 0..random::cases(240) {
        let mut extents: Vec<_> = (0..1 + random.below(4)).map(|_| 1 + random.below(9)).collect();
        if number % 2 == 0 {
            // Images: a few channels, and a long row.
            extents = vec![1 + random.below(5), 1 + random.below(3000), 1 + random.below(3)];
            extents.swap(0, random.below(3));
        }
        let [from, mut to] = [(); 2].map(|()| strides(&extents, &mut random));
        let k = random.below(extents.len());
        match random.below(16) {
            0 => to[k] = 0,
            1 => extents[k] = 0,
            _ => {}
        }
        check(&extents, [&from, &to], |k| (k * 37 % 251) as u8);
        check(&extents, [&from, &to], |k| (k % 509) as f32 / 4.0);
    }
    let plan = Relayout::plan(&layout("(3,4):(1,3)"), &layout("(3,4):(4,1)"), 1).unwrap();
    let run = |mode, scales: usize, biases: usize| {
        let (scale, bias) = (vec![1.0; scales], vec![0.0; biases]);
        plan.run_by_channel(&[1_u8; 12], mode, &scale, &bias, &mut [0.0; 12])
    };
    assert_eq!(run(1, 4, 4), Ok(()));
    for (mode, scales, biases, why) in [
        (2, 3, 3, "(3,4):(1,3) has no mode 2"),
        (0, 4, 4, "mode 0 of (3,4):(1,3) has 3 coordinates, and there are 4 scales and 4 biases"),
        (0, 3, 1, "mode 0 of (3,4):(1,3) has 3 coordinates, and there are 3 scales and 1 bias"),
    ] {
        assert_eq!(run(mode, scales, biases).unwrap_err().to_string(), why);
    }
}

#[test]
fn reductions() {
    const CASES: [(&str, &str); 10] = [
        ("(40,50):(50,1)", "(40,50):(1,0)"),
        ("(40,50):(50,1)", "(40,50):(0,1)"),
        ("(40,3000):(3000,1)", "(40,3000):(0,1)"),
        ("(4,5,6,7):(210,42,7,1)", "(4,5,6,7):(6,0,1,0)"),
        ("(4,5,6,7):(210,42,7,1)", "(4,5,6,7):(0,1,0,5)"),
        ("(4,5,6,7):(210,42,7,1)", "(4,5,6,7):(0,0,0,0)"),
        ("(4,5,6,7):(210,42,7,1)", "(4,5,6,7):(0,7,0,1)"),
        ("(6,7):(-7,1)", "(6,7):(-1,0)"),
        ("(4,6):(6,1)", "(4,6):(1,2)"),
        ("(3,4):(4,1)", "(3,4):(4,1)"),
    ];
    for (from, to) in CASES.map(|(from, to)| (layout(from), layout(to))) {
        let plan = Relayout::plan(&from, &to, 8).unwrap();
        let place =
            |layout: &DynLayout, i| layout.base().wrapping_add_signed(layout.signed_index(i));
        let source: Vec<i64> = (0..from.cosize() as i64).map(|k| k * 7919 % 1009 - 500).collect();
        let (mut sums, mut largest) = (vec![99; to.cosize()], vec![99; to.cosize()]);
        let (mut all_sums, mut all_largest) = (sums.clone(), largest.clone());
        for i in 0..from.size() {
            all_sums[place(&to, i)] = 0;
            all_largest[place(&to, i)] = i64::MIN;
        }
        for i in 0..from.size() {
            let (x, t) = (source[place(&from, i)], place(&to, i));
            all_sums[t] += x;
            all_largest[t] = all_largest[t].max(x);
        }
        plan.sum(&source, &mut sums).unwrap();
        plan.max(&source, &mut largest).unwrap();
        assert_eq!((sums, largest), (all_sums, all_largest), "{from} to {to}");
    }
}

/// Elements of some KiB, of which no register and no part of the stack holds several.
#[test]
fn reductions_of_large_elements() {
    #[derive(Clone, Copy)]
    #[repr(transparent)]
    struct Large([u8; 32 << 10]);
    // SAFETY: an array of bytes, any of which are a value.
    unsafe impl bytemuck::Zeroable for Large {}
    // SAFETY: as above.
    unsafe impl bytemuck::Pod for Large {}
    let plan = Relayout::plan(&layout("(64,3):(1,64)"), &layout("(64,3):(0,1)"), 32 << 10).unwrap();
    let source: Vec<_> = (0..192).map(|k| Large([k; 32 << 10])).collect();
    let mut largest = vec![Large([0; 32 << 10]); 3];
    plan.reduce(&source, &mut largest, |a, b| if a.0[7] > b.0[7] { a } else { b }).unwrap();
    assert_eq!(Vec::from_iter(largest.iter().map(|large| large.0[9])), [63, 127, 191]);
}

/// What does not fit is refused at once, however many channels there are.
#[test]
fn channels_are_refused_before_they_are_looked_at() {
    let far = layout("1099511627776:1");
    let plan = Relayout::plan(&far, &far, 1).unwrap();
    let refused = plan.run_by_channel::<u8>(&[], 0, &[], &[], &mut []).unwrap_err();
    assert!(refused.to_string().contains("1099511627776"), "{refused}");
}

/// NaN is passed over wherever it lies: alone in a row of lanes, first in a row or behind the lanes,
/// and where several elements lead to one place without a stride of 0. It remains where there is
/// nothing else.
#[test]
fn the_largest_of_numbers_and_nan() {
    let mut random = Random::seeded();
    for _ in 0..random::cases(600) {
        let rank = 1 + random.below(3);
        let extents: Vec<_> = (0..rank).map(|_| 1 + random.below(70 / rank)).collect();
        let mut order = random.shuffled(rank);
        let mut strides = vec![0; rank];
        order.iter().fold(1, |step, &k| {
            strides[k] = step;
            step * extents[k] as isize
        });
        order.truncate(random.below(rank));
        let overlapping = random.below(4) == 0;
        let kept = |k: usize| if overlapping { 1 } else { strides[k] };
        let to: Vec<_> = (0..rank).map(|k| if order.contains(&k) { kept(k) } else { 0 }).collect();
        let [from, to] = [&strides, &to].map(|strides| random::layout(&extents, strides));
        let source: Vec<f32> = (0..from.cosize())
            .map(|_| if random.below(3) == 0 { f32::NAN } else { random.below(100) as f32 })
            .collect();
        let mut expected = vec![-1.0; to.cosize()];
        (0..to.size()).for_each(|i| expected[to.at(i)] = f32::NAN);
        for i in 0..from.size() {
            let t = &mut expected[to.at(i)];
            *t = t.max(source[from.at(i)]);
        }
        let mut largest = vec![-1.0; expected.len()];
        Relayout::plan(&from, &to, 4).unwrap().max(&source, &mut largest).unwrap();
        let same = |(x, y): (&f32, &f32)| x == y || x.is_nan() && y.is_nan();
        let are_same = largest.iter().zip(&expected).all(same);
        assert!(are_same, "{from} to {to}: {source:?} has {largest:?}, not {expected:?}");
    }
}

/// Sums, maxima, multiples and any function of both, for random layouts; a quarter of the
/// destination's modes disappear, and a tenth of the extents are 0.
#[test]
fn random_reductions() {
    let mut random = Random::seeded();
    for _ in 0..random::cases(1500) {
        let mut extents: Vec<usize> =
            (0..1 + random.below(5)).map(|_| 1 + random.below(9)).collect();
        match random.below(8) {
            0 | 1 => extents[0] = 60 + random.below(9),
            // Longer than the rows of a reduction.
            2 => {
                extents.truncate(3);
                extents[0] = 1000 + random.below(3000);
            }
            _ => {}
        }
        extents.iter_mut().for_each(|extent| *extent *= usize::from(random.below(10) > 0));
        let (from, mut to) = (strides(&extents, &mut random), strides(&extents, &mut random));
        to.iter_mut().for_each(|stride| *stride *= isize::from(random.below(4) > 0));
        let (from, to) = (random::layout(&extents, &from), random::layout(&extents, &to));
        let sets = Vec::from_iter(InstructionSet::ALL.into_iter().filter(|set| set.is_available()));
        let set = sets[random.below(sets.len())];
        let plan = Relayout::plan(&from, &to, 8).unwrap().with_instruction_set(set).unwrap();
        let place =
            |layout: &DynLayout, i| layout.base().wrapping_add_signed(layout.signed_index(i));
        let source: Vec<i64> =
            (0..from.cosize()).map(|_| random.below(2000) as i64 - 1000).collect();
        // The destination without the modes that disappear: it has elements even if these modes are
        // empty.
        let stays =
            |stride: &DynStride| !matches!(stride, DynStride::Natural(0) | DynStride::Negative(0));
        let (kept, their): (Vec<_>, Vec<_>) =
            extents.iter().zip(to.strides()).filter(|(_, d)| stays(d)).unzip();
        let shape = DynShape::tuple(kept.iter().map(|&&extent| DynShape::from(extent)));
        let kept =
            shape.map_or(layout("1:0"), |shape| DynLayout::with_strides(shape, their).unwrap());
        let before: Vec<i64> = (0..kept.cosize() + 2).map(|k| k as i64).collect();
        let mut all: BTreeMap<usize, Vec<i64>> =
            (0..kept.size()).map(|i| (place(&kept, i), Vec::new())).collect();
        (0..from.size())
            .for_each(|i| all.get_mut(&place(&to, i)).unwrap().push(source[place(&from, i)]));
        let expected = |f: &dyn Fn(i64, &[i64]) -> i64| {
            let mut after = before.clone();
            all.iter().for_each(|(&at, elements)| after[at] = f(after[at], elements));
            after
        };
        let run = |run: &dyn Fn(&mut Vec<i64>)| {
            let mut after = before.clone();
            run(&mut after);
            after
        };
        let said = format!("{from} to {to}:\n{plan}");
        let sum = |_, elements: &[i64]| elements.iter().sum();
        assert_eq!(run(&|to| plan.sum(&source, to).unwrap()), expected(&sum), "sum of {said}");
        let reduced = run(&|to| {
            plan.reduce(&source, to, |x, y| x.wrapping_mul(31).wrapping_add(y.wrapping_mul(31)))
                .unwrap()
        });
        if all.values().all(|elements| elements.len() < 2) {
            let step = |x: i64, elements: &[i64]| elements.iter().fold(x, |x, y| 31 * (x + y));
            assert_eq!(reduced, expected(&step), "reduction of {said}");
        }
        if from.size() > 0 {
            let most = |_, elements: &[i64]| *elements.iter().max().unwrap();
            assert_eq!(
                run(&|to| plan.max(&source, to).unwrap()),
                expected(&most),
                "largest of {said}"
            );
        } else if kept.size() > 0 {
            let refused = plan.max(&source, &mut before.clone()).unwrap_err();
            assert!(refused.to_string().starts_with("no largest element"), "{refused}");
        }
        // Coordinates that share an element, in their order.
        let scaled =
            |y: i64, elements: &[i64]| elements.iter().fold(y, |y, x| 3 * x - 2 * y % 1000);
        let with = |to: &mut [i64], from: &[i64]| {
            to.iter_mut().zip(from).for_each(|(y, x)| *y = 3 * x - 2 * *y % 1000)
        };
        assert_eq!(
            run(&|to| plan.run_with(&source, to, with).unwrap()),
            expected(&scaled),
            "function of {said}"
        );
    }
    // Empty sums are zeros, also for swizzled layouts and negative strides.
    let mut sums = [7; 6];
    let empty: DynComposedLayout = "Sw<1,0,1> o 0 o (4,0):(1,0)".parse().unwrap();
    Relayout::plan(&layout("(4,0):(0,1)"), &empty, 4).unwrap().sum(&[], &mut sums).unwrap();
    assert_eq!(sums, [0, 0, 0, 0, 7, 7]);
    let upside_down = Relayout::plan(&layout("(0,5):(5,1)"), &layout("(0,5):(0,-1)"), 4).unwrap();
    assert!(
        upside_down.sum(&[], &mut sums[..4]).unwrap_err().to_string().contains("needs 5 elements")
    );
    assert_eq!(sums, [0, 0, 0, 0, 7, 7]);
    upside_down.sum(&[], &mut sums).unwrap();
    assert_eq!(sums, [0, 0, 0, 0, 0, 7]);
}

/// Sources of any strides in destinations of whole tiles, compared with a loop over coordinates.
#[test]
fn random_packings() {
    let mut random = Random::seeded();
    for _ in 0..500 {
        let rank = 1 + random.below(3);
        let inner: Vec<usize> = (0..rank).map(|_| random.below(14)).collect();
        let mut ends = Vec::new();
        let mut outer: Vec<usize> = Vec::new();
        for &extent in &inner {
            let parts: Vec<_> = (0..random.below(3)).map(|_| 1 + random.below(5)).collect();
            let span = parts.iter().product::<usize>();
            outer.extend(parts);
            outer.push(extent.div_ceil(span) + random.below(2));
            ends.push(outer.len());
        }
        let backwards =
            |strides: Vec<isize>| strides.into_iter().map(isize::abs).collect::<Vec<_>>();
        let from = random::layout(&inner, &backwards(strides(&inner, &mut random)));
        let target = backwards(strides(&outer, &mut random));
        let mut first = 0;
        let modes = ends.iter().map(|&end| {
            let mode = random::layout(&outer[first..end], &target[first..end]);
            first = end;
            mode
        });
        let to = DynLayout::tuple(&modes.collect::<Vec<_>>()).unwrap();
        let packing = Packing::plan(&from, &to, 2).unwrap();
        let source: Vec<u16> = (0..from.cosize() as u16).collect();
        let mut after = vec![0xA5A5; to.cosize() + 3];
        let mut expected = after.clone();
        for i in 0..to.size() {
            let (mut rest, mut number, mut unit, mut inside) = (i, 0, 1, true);
            for (&n, m) in inner.iter().zip(to.modes().map(|mode| mode.size())) {
                inside &= rest % m < n;
                number += rest % m * unit;
                (rest, unit) = (rest / m, unit * n);
            }
            expected[to.index(i)] = if inside { source[from.index(number)] } else { 0x4242 };
        }
        packing.run(&source, &mut after, 0x4242).unwrap();
        assert_eq!(after, expected, "{from} to {to}");
    }
}

#[test]
fn transposes_in_place() {
    fn check<T: Pod + PartialEq>(rows: usize, columns: usize, of: fn(usize) -> T) {
        let before: Vec<T> = (0..rows * columns).map(of).collect();
        let mut after = before.clone();
        transpose_in_place(&mut after, rows, columns).unwrap();
        for i in 0..rows {
            for j in 0..columns {
                assert!(
                    after[j * rows + i] == before[i * columns + j],
                    "{rows} x {columns} at ({i}, {j})"
                );
            }
        }
    }
    let mut random = Random::seeded();
    for _ in 0..100 {
        let (rows, columns) = (random.below(90), random.below(90));
        check(rows, columns, |k| [k as u16, 5, k as u16]);
        check(rows, rows, |k| k as u8);
    }
    for n in [0, 1, 2, 3, 15, 16, 17, 63, 64, 65, 100, 129] {
        check(n, n, |k| k as u32);
        check(n, n, |k| [k as u64, !k as u64]);
        check(n, n, |k| [k as u8, (k >> 8) as u8, 7]);
    }
    for (rows, columns) in [
        (0, 5),
        (1, 7),
        (7, 1),
        (2, 3),
        (3, 2),
        (16, 64),
        (64, 16),
        (100, 37),
        (129, 65),
        (1000, 8),
    ] {
        check(rows, columns, |k| k as u32);
        check(rows, columns, |k| (k as u16).wrapping_mul(257));
    }
    assert!(transpose_in_place(&mut [1, 2, 3], usize::MAX, 2).is_err());
}

#[test]
fn packing_fills_ragged_ends() {
    const CASES: [(&str, &str); 9] = [
        ("(5,3):(3,1)", "((4,2),3):((1,12),4)"),
        ("(1000,7):(7,1)", "((16,63),8):((1,128),16)"),
        ("(37,11):(1,40)", "((4,5,2),(3,4)):((1,4,20),(40,120))"),
        ("(37,11):(1,40)", "((4,5,2),(3,5)):((60,4,240),(1,480))"),
        ("(16,8):(8,1)", "((16,1),8):((1,128),16)"),
        ("(0,3):(1,1)", "(4,3):(1,4)"),
        ("(1,1):(1,1)", "(3,(2,2)):(1,(3,6))"),
        ("((2,3),4):((1,2),6)", "(8,4):(1,8)"),
        ("7:2", "(2,(2,3)):(1,(2,4))"),
    ];
    for (from, to) in CASES.map(|(from, to)| (layout(from), layout(to))) {
        let from = if from.rank() == to.rank() { from } else { layout("(2,3):(2,4)") };
        let packing = Packing::plan(&from, &to, 4).unwrap();
        let source: Vec<i32> = (0..from.cosize() as i32).collect();
        let mut target = vec![-7; to.cosize() + 3];
        let mut expected = target.clone();
        let sizes = |layout: &DynLayout| layout.modes().map(|mode| mode.size()).collect::<Vec<_>>();
        let (inner, outer) = (sizes(&from), sizes(&to));
        for i in 0..to.size() {
            let (mut rest, mut number, mut unit, mut inside) = (i, 0, 1, true);
            for (&n, &m) in inner.iter().zip(&outer) {
                inside &= rest % m < n;
                number += rest % m * unit;
                (rest, unit) = (rest / m, unit * n);
            }
            expected[to.index(i)] = if inside { source[from.index(number)] } else { 42 };
        }
        packing.run(&source, &mut target, 42).unwrap();
        assert_eq!(target, expected, "{from} to {to}");
    }
    let refused = |from: &str, to: &str| Packing::plan(&layout(from), &layout(to), 4).unwrap_err();
    assert!(
        refused("(5,3):(1,5)", "(4,3):(1,4)")
            .to_string()
            .ends_with("mode 0 has 5 in the source and 4 in the destination")
    );
    assert!(refused("(5,3):(1,5)", "8:1").to_string().ends_with("they have 2 and 1 modes"));
    assert!(
        refused("((2,3),1):((1,9),1)", "(8,1):(1,8)")
            .to_string()
            .ends_with("mode 0 of the source is not one stride")
    );
    assert!(matches!(refused("(3,2):(1,3)", "(4,2):(1,2)"), RelayoutError::Overlap { .. }));
    assert!(refused("4:-1", "4:1").to_string().ends_with("strides of mode 0 are not natural"));
}

#[test]
fn tensors() {
    let n = 37;
    let rows = Tensor::new(Vec::from_iter(0..37 * 53), layout!((n, 53): right)).unwrap();
    let mut columns = Tensor::new(vec![0; 40 * 53], layout!((n, 53):(1, 40))).unwrap();
    columns.relayout_from(&rows).unwrap();
    assert!((0..37).all(|i| (0..53).all(|j| columns[(i, j)] == (i * 53 + j) as i32)));
    // A swizzled destination, and a window of the source.
    let mut swizzled = Tensor::fixed([0; 64], Swizzle::<3, 0, 3>::new().compose(layout!((8, 8))));
    swizzled.relayout_from(&rows.view().with_layout(layout!((8, 8):(53, 1))).unwrap()).unwrap();
    assert!((0..8).all(|i| (0..8).all(|j| swizzled[(i, j)] == (i * 53 + j) as i32)));
    let mut other = Tensor::fixed([0; 6], layout!((2, 3)));
    assert!(other.relayout_from(&Tensor::fixed([0; 6], layout!((3, 2)))).is_err());
    // Between the elements of a tile there are elements of other tiles.
    let mut matrix = Tensor::fixed([0; 16], layout!((4, 4)));
    for mut tile in matrix.tiles_mut(tiler!(2, 2)) {
        let error = tile.relayout_from(&Tensor::fixed([1; 4], layout!((2, 2)))).unwrap_err();
        assert!(
            matches!(&error, RelayoutError::Layout(of) if of.kind().as_str() == "bounds"),
            "{error}"
        );
    }
}
