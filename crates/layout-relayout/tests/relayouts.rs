//! Random relayouts, every element tagged, compared with a loop over offsets: all instruction sets,
//! element sizes and kinds of strides, with streaming stores and without, on one thread and on all.
//!
//! `RELAYOUTS=100000 cargo test -p layout-relayout --release --test relayouts` runs as many cases,
//! of up to 2^20 elements. The cases change every day; the seed is printed, and `SEED=1` repeats
//! the cases of seed 1.

mod random;

use bytemuck::Pod;
use layout_algebra::prelude::*;
use layout_relayout::{InstructionSet, Relayout, RelayoutError};
use random::{Random, layout, strides};

/// Elements of any size whose bytes differ from those of their neighbours.
fn tagged<T: Pod>(count: usize) -> Vec<T> {
    let mut elements = vec![T::zeroed(); count];
    for (k, element) in elements.iter_mut().enumerate() {
        let tag = (k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23).to_le_bytes();
        for (at, byte) in bytemuck::bytes_of_mut(element).iter_mut().enumerate() {
            *byte = tag[at % 8].wrapping_add((at / 8) as u8);
        }
    }
    elements
}

/// The expected result: a loop over offsets.
fn expected<T: Pod>(
    from: &DynComposedLayout,
    to: &DynComposedLayout,
    source: &[T],
    target: &[T],
) -> Vec<T> {
    let mut target = target.to_vec();
    (0..from.size()).for_each(|i| target[to.at(i)] = source[from.at(i)]);
    target
}

/// Runs the plan of two layouts in every way, on slices that begin at any byte of a line: elements
/// with alignment 1, as `T` must have, need not begin at a multiple of their size.
fn check<T: Pod + PartialEq>(
    from: &DynComposedLayout,
    to: &DynComposedLayout,
    plan: &Relayout,
    random: &mut Random,
) {
    let (begin, end) = (random.below(64), random.below(3) * size_of::<T>());
    let whole = |count: usize| begin + count * size_of::<T>() + end;
    fn elements<T: Pod>(bytes: &[u8]) -> &[T] {
        bytemuck::cast_slice(bytes)
    }
    let mut source = vec![0; whole(from.cosize())];
    source[begin..]
        .copy_from_slice(bytemuck::cast_slice(&tagged::<T>(from.cosize() + end / size_of::<T>())));
    let before = vec![0xA5; whole(to.cosize())];
    let source = elements::<T>(&source[begin..]);
    let expected = expected(from, to, source, elements(&before[begin..]));
    for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        for stream in [false, true] {
            let plan = plan
                .clone()
                .with_instruction_set(set)
                .unwrap()
                .with_streaming(stream)
                .with_parallel_from(0);
            for all_threads in [false, true] {
                let mut target = before.clone();
                let elements_of_target = bytemuck::cast_slice_mut::<u8, T>(&mut target[begin..]);
                if all_threads {
                    plan.run_parallel(source, elements_of_target).unwrap();
                } else {
                    plan.run(source, elements_of_target).unwrap();
                }
                let wrong = (0..expected.len()).find(|&k| elements_of_target[k] != expected[k]);
                assert_eq!(
                    wrong, None,
                    "{from} to {to} from byte {begin}, all threads {all_threads}:\n{plan}"
                );
                assert!(target[..begin] == before[..begin], "before the slice");
            }
        }
    }
}

fn check_size(from: DynComposedLayout, to: DynComposedLayout, element: usize, random: &mut Random) {
    macro_rules! of {
        ($($size:literal)*) => {
            match element {
                $($size => {
                    let plan = Relayout::plan(&from, &to, element);
                    check::<[u8; $size]>(&from, &to, &plan.unwrap(), random)
                })*
                _ => unreachable!("no such element"),
            }
        };
    }
    of! { 1 2 3 4 5 6 7 8 10 12 16 20 24 32 48 }
}

const ELEMENTS: [usize; 15] = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 48];

/// Extents whose product is at most `most`: a quarter of them near the size of a block or a tile.
fn extents(most: usize, random: &mut Random) -> Vec<usize> {
    const NEAR: [usize; 14] = [2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65];
    let (rank, mut left) = (1 + random.below(6), most);
    let mut extents = Vec::new();
    // Pixels.
    if random.below(6) == 0 {
        let channels = 2 + random.below(4);
        let mut extents = vec![channels, 1 + random.below(most / channels)];
        extents.insert(random.below(3), 1 + random.below(most / channels / extents[1]));
        return extents;
    }
    // Many short modes, as in a tensor network, and sometimes a long one.
    if random.below(4) == 0 {
        while left > 1 && extents.len() < 16 {
            let extent = if random.below(12) == 0 {
                1 + random.below(left)
            } else {
                [2, 2, 2, 3, 4][random.below(5)]
            };
            extents.push(extent.min(left));
            left /= extents[extents.len() - 1];
        }
        return extents;
    }
    for _ in 0..rank {
        let extent = match random.below(4) {
            0 => NEAR[random.below(NEAR.len())],
            1 => 1 + random.below(left),
            _ => 1 + random.below(24),
        };
        extents.push(extent.min(left));
        left /= extents[extents.len() - 1];
    }
    extents
}

fn case(most: usize, random: &mut Random) {
    let extents = extents(most, random);
    let mut from = strides(&extents, random);
    let mut to = strides(&extents, random);
    match random.below(16) {
        // A source with stride 0, a destination with stride 0.
        0 => from[random.below(extents.len())] = 0,
        1 => to[random.below(extents.len())] = 0,
        2 => to.iter_mut().for_each(|stride| *stride = 1 + random.below(9) as isize),
        _ => {}
    }
    let element = ELEMENTS[random.below(ELEMENTS.len())];
    let groups = groups(extents.len(), random);
    let [from, to] = [&from, &to].map(|strides| ways(&extents, strides, &groups, random));
    let way =
        |ways: Vec<DynComposedLayout>, random: &mut Random| ways[random.below(ways.len())].clone();
    check_size(way(from, random), way(to, random), element, random);
}

/// Groups of leaves in modes: the end of each mode.
fn groups(leaves: usize, random: &mut Random) -> Vec<usize> {
    let mut ends: Vec<_> = (1..leaves).filter(|_| random.below(3) > 0).collect();
    ends.push(leaves);
    ends
}

/// Layouts of every kind that are one function: `base + sum c_k * d_k`, which has no negative
/// offset, over the same modes.
fn ways(
    extents: &[usize],
    strides: &[isize],
    groups: &[usize],
    random: &mut Random,
) -> Vec<DynComposedLayout> {
    let mut first = 0;
    let modes = groups.iter().map(|&end| {
        let mode = layout(&extents[first..end], &strides[first..end]);
        first = end;
        // A mode with one stride takes a 1-D coordinate.
        let one = mode.coalesce();
        if one.shape().leaves().len() == 1 && random.below(3) > 0 {
            one.mode(0).unwrap()
        } else {
            mode
        }
    });
    let strided = DynLayout::tuple(&modes.collect::<Vec<_>>()).unwrap();
    let composed = |swizzle: DynSwizzle, layout: &DynLayout| {
        DynComposedLayout::new(swizzle, layout.base(), layout.clone())
    };
    // A swizzle of bits that are zero in every offset.
    let far = DynSwizzle::new(1 + random.below(3) as u32, 32, 4).unwrap();
    let mut ways = vec![
        layout(extents, strides).into(),
        strided.clone().into(),
        composed(DynSwizzle::IDENTITY, &strided),
        composed(far, &strided),
    ];
    if groups.len() < extents.len() {
        let _ = ways.remove(0);
    }
    // XOR strides with common bits are a sum only for some extents, as `3:^3` is: a plan moves such
    // a layout offset by offset.
    let is_apart = |xor: &DynLayout| {
        let strides = xor.strides().map(|stride| match stride {
            DynStride::Natural(_) | DynStride::Negative(_) => 0,
            DynStride::Xor(stride) => stride,
        });
        let extents = xor.shape().leaves().to_vec();
        extents.into_iter().zip(strides).all(|(extent, stride)| {
            let bits = usize::BITS - extent.saturating_sub(1).leading_zeros();
            (1..bits).all(|shift| stride & (stride << shift) == 0)
        })
    };
    if let Some(xor) = strided.linear().ok().filter(is_apart) {
        // A swizzle composed with itself.
        let swizzle =
            DynSwizzle::new(1 + random.below(3) as u32, random.below(4) as u32, 3).unwrap();
        match composed(swizzle, &xor).linear() {
            Ok(twice) if twice.shape() == strided.shape() => ways.push(composed(swizzle, &twice)),
            _ => {}
        }
        ways.push(xor.clone().into());
        ways.push(composed(DynSwizzle::IDENTITY, &xor));
    }
    ways
}

/// Compositions without a swizzle, flips, XOR strides, nested modes: the same offset and strides
/// give the same plan.
#[test]
fn all_ways_to_say_one_function_have_one_plan() {
    let mut random = Random::seeded();
    for _ in 0..400 {
        let mut extents = extents(1 << 11, &mut random);
        if random.below(2) == 0 {
            extents.iter_mut().for_each(|extent| *extent = extent.next_power_of_two());
        }
        let (from, to) = (strides(&extents, &mut random), strides(&extents, &mut random));
        let (element, groups) =
            (ELEMENTS[random.below(ELEMENTS.len())], groups(extents.len(), &mut random));
        let [from, to] = [from, to].map(|strides| ways(&extents, &strides, &groups, &mut random));
        let one = Relayout::plan(&from[0], &to[0], element).unwrap().to_string();
        for (from, to) in from.iter().flat_map(|from| to.iter().map(move |to| (from, to))) {
            let plan = Relayout::plan(from, to, element).unwrap();
            assert_eq!(plan.to_string(), one, "{from} to {to}");
        }
        let (from, to) = (&from[random.below(from.len())], &to[random.below(to.len())]);
        check_size(from.clone(), to.clone(), element, &mut random);
    }
}

/// Rows and columns of a swizzled tile, forwards and backwards: an offset and strides, some of them
/// negative.
#[test]
fn slices_of_swizzled_tiles_are_planned_by_strides() {
    let (mut random, mut planned) = (Random::seeded(), 0);
    for _ in 0..300 {
        let [rows, columns] = [3, 6].map(|most| 1 << (1 + random.below(most)));
        let swizzle =
            DynSwizzle::new(1 + random.below(3) as u32, random.below(4) as u32, 3).unwrap();
        let signs = [0, 1].map(|_| 1 - 2 * (random.below(2) as isize));
        let tile = layout(&[rows, columns], &[signs[0] * columns as isize, signs[1]]);
        let tile = DynComposedLayout::new(swizzle, tile.base(), tile);
        let at = if random.below(2) == 0 {
            format!("({},_)", random.below(rows))
        } else {
            format!("(_,{})", random.below(columns))
        };
        let (part, offset) = tile.slice(&at.parse().unwrap()).unwrap();
        assert_eq!(offset, 0);
        let to = layout(&[part.size()], &[1]);
        let plan = Relayout::plan(&part, &to.coalesce(), 2).unwrap();
        // Whether the contributions of a coordinate's bits add up.
        let first = part.at(0) as isize;
        let bits = |i: usize| (0..usize::BITS).filter(move |bit| i >> bit & 1 == 1);
        let sum =
            |i: usize| first + bits(i).map(|bit| part.at(1 << bit) as isize - first).sum::<isize>();
        let adds_up = (0..part.size()).all(|i| part.at(i) as isize == sum(i));
        let by_strides = !plan.to_string().contains("one offset after the other");
        assert_eq!(by_strides, adds_up, "{tile} at {at}: {part}");
        planned += usize::from(by_strides);
        check_size(part, to.coalesce().into(), 2, &mut random);
    }
    assert!(planned > 100, "{planned} of 300");
}

/// A flipped image takes no longer than one that is not flipped.
#[test]
fn a_flipped_tensor_is_planned_by_its_strides() {
    let pixels: Vec<u8> = (0..48 * 64 * 3).map(|k| k as u8).collect();
    let rows = layout!((48, 60, 3):(192, 3, 1));
    let picture = Tensor::new(&pixels[..], rows).unwrap();
    let plan =
        Relayout::plan(picture.flip::<0>().layout(), &layout!((48, 60, 3): right), 1).unwrap();
    let strided =
        Relayout::plan(&layout(&[48, 60, 3], &[-192, 3, 1]), &layout!((48, 60, 3): right), 1)
            .unwrap();
    assert_eq!(plan.to_string(), strided.to_string());
    let mut flipped = vec![0; 48 * 60 * 3];
    plan.run(&pixels[..47 * 192 + 180], &mut flipped).unwrap();
    assert_eq!(flipped[..180], pixels[47 * 192..][..180]);
}

#[test]
fn random_relayouts() {
    let cases = random::cases(1000);
    let mut random = Random::seeded();
    for k in 0..cases {
        // Most of them are small; a few have up to 2^20 elements.
        let most = match (k % 50, cases > 1000) {
            (0, true) => 1 << 20,
            (0, false) => 1 << 17,
            (1..10, _) => 1 << 14,
            _ => 1 << 11,
        };
        case(most, &mut random);
    }
}

/// Sizes 0 and 1, and those around tiles, blocks, panels and lines, transposed.
#[test]
fn sizes_around_each_block() {
    let mut random = Random(88172645463325252);
    const SIZES: [usize; 21] =
        [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129];
    for rows in SIZES {
        for columns in SIZES {
            let element = [1, 2, 4, 8, 16][random.below(5)];
            let transposed = layout(&[rows, columns], &[1, rows as isize]);
            check_size(
                layout(&[rows, columns], &[columns as isize, 1]).into(),
                transposed.into(),
                element,
                &mut random,
            );
        }
    }
    for element in [1, 2, 4, 8, 16] {
        // Around a chunk, a panel and a block of this element.
        for around in [256, 512, 1024] {
            let around = around / element;
            for (rows, columns) in
                [(around - 1, around + 1), (around, around), (2 * around + 1, 3), (5, 2 * around)]
            {
                let transposed = layout(&[rows, columns], &[1, rows as isize + 3]);
                let rows = layout(&[rows, columns], &[columns as isize, 1]);
                check_size(rows.into(), transposed.into(), element, &mut random);
            }
        }
    }
}

/// Swizzled layouts, and layouts of XOR strides.
#[test]
fn offsets_that_are_no_sums() {
    let mut random = Random(7);
    let plain: DynLayout = "(8,8):(8,1)".parse().unwrap();
    let swizzled: DynComposedLayout = "Sw<3,0,3> o 0 o (8,8):(1,8)".parse().unwrap();
    let xor: DynLayout = "(8,8):(^1,^9)".parse().unwrap();
    for element in ELEMENTS {
        check_size(plain.clone().into(), swizzled.clone(), element, &mut random);
        check_size(swizzled.clone(), plain.clone().into(), element, &mut random);
        check_size(xor.clone().into(), plain.clone().into(), element, &mut random);
        check_size(swizzled.clone(), xor.clone().into(), element, &mut random);
    }
}

#[test]
fn what_is_refused() {
    let read = |text: &str| match text.contains(':') {
        true => text.parse::<DynLayout>().unwrap(),
        false => DynLayout::left(&text.parse().unwrap()),
    };
    let plan = |from: &str, to: &str, element| Relayout::plan(&read(from), &read(to), element);
    let text = |plan: Result<Relayout, RelayoutError>| plan.unwrap_err().to_string();
    assert_eq!(
        text(plan("12:1", "13:1", 4)),
        "no relayout of 12:1 to 13:1: their sizes are 12 and 13"
    );
    assert_eq!(
        text(plan("(2,4,8,8):(256,1,32,4)", "(2,8,8,4):(256,32,4,1)", 4)),
        "no relayout of (2,4,8,8):(256,1,32,4) to (2,8,8,4):(256,32,4,1): their shapes (2,4,8,8) and (2,8,8,4) have other \
         coordinates; `plan_by_number` pairs those of one number"
    );
    for (from, to) in
        [("(2,2,6)", "(4,6)"), ("(0,4)", "(4,0)"), ("((2,3),4)", "((3,2),4)"), ("(6,1)", "((2,3))")]
    {
        assert!(text(plan(from, to, 4)).contains("their shapes"), "{from} {to}");
    }
    for (from, to) in [
        ("((2,2),6)", "(4,6)"),
        ("24:1", "(4,6):(6,1)"),
        ("((2,3),4)", "(6,(2,2))"),
        ("(0,4)", "0"),
    ] {
        assert!(plan(from, to, 4).is_ok() && plan(to, from, 4).is_ok(), "{from} {to}");
    }
    // Numbers that exceed `isize`: bytes moved, elements with stride 0, offsets.
    for element in [1, 4] {
        for many in [
            "(4611686018427387904,3):(0,0)",
            "9223372036854775808:0",
            "(4294967296,4294967295):(0,0)",
        ] {
            let refused = text(plan(many, many, element));
            let bytes =
                if element == 1 { "1 byte".to_string() } else { format!("{element} bytes") };
            assert!(
                refused
                    .contains(&format!("elements of {bytes}, one for each coordinate of {many}")),
                "{refused}"
            );
        }
    }
    let far: DynComposedLayout = "Sw<1,62,-1> o 0 o (2,2):(1,4611686018427387904)".parse().unwrap();
    assert!(text(Relayout::plan(&far, &far, 1)).contains("take more than"));
    let overflow = text(plan("(2,2):(1,4611686018427387904)", "(2,2):(1,2)", 16));
    assert!(
        overflow.starts_with("elements of 16 bytes under (2,2):(1,4611686018427387904) take more"),
        "{overflow}"
    );

    // Elements of 0 bytes may be any number, and no work is done for them.
    let many = plan("(4,1152921504606846976):(1,4)", "(4,1152921504606846976):(1,4)", 0).unwrap();
    many.run(&[(); usize::MAX], &mut [(); usize::MAX]).unwrap();
    layout_relayout::transpose_in_place(&mut [(); 1 << 60], 1 << 20, 1 << 40).unwrap();
    assert!(
        text(plan("4:4611686018427387904", "(2,2):(1,2)", 0))
            .starts_with("elements of 0 bytes under 4:46")
    );

    let transpose = plan("(3,2):(2,1)", "(3,2):(1,3)", 4).unwrap();
    let mut to = [0_u32; 6];
    assert!(
        transpose
            .run(&[1, 2, 3, 4, 5], &mut to)
            .unwrap_err()
            .to_string()
            .contains("needs 6 elements")
    );
    assert!(
        transpose
            .run(&[1, 2, 3, 4, 5, 6], &mut to[..5])
            .unwrap_err()
            .to_string()
            .contains("the destination's")
    );
    assert!(
        transpose
            .run(&[0_u8; 6], &mut [0; 6])
            .unwrap_err()
            .to_string()
            .contains("elements of 4 bytes")
    );
    assert_eq!(to, [0; 6]);
    // Elements of no bytes, and no elements.
    plan("4:1", "4:1", 0).unwrap().run(&[(); 4], &mut [(); 4]).unwrap();
    plan("(0,4):(1,1)", "(0,4):(4,1)", 4).unwrap().run::<u32>(&[], &mut []).unwrap();
}

/// The numbers in a text.
fn numbers(text: &str) -> std::collections::BTreeSet<u128> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// Random refusals: each number of a message is in one of the layouts, or the message says how it
/// is computed.
#[test]
fn every_number_of_a_refusal_is_one_of_its_operands_or_said_to_be_computed() {
    let mut random = Random::seeded();
    let (mut refusals, mut kinds) = (0, std::collections::BTreeSet::new());
    while refusals < if cfg!(debug_assertions) { 10_000 } else { 100_000 } {
        let extents: Vec<usize> = (0..1 + random.below(4)).map(|_| random.below(9)).collect();
        let from = layout(&extents, &strides(&extents, &mut random));
        let mut others = extents.clone();
        match random.below(4) {
            0 => others.rotate_left(1),
            1 => others = (0..1 + random.below(4)).map(|_| random.below(9)).collect(),
            _ => {}
        }
        let to = layout(&others, &strides(&others, &mut random));
        let element = [0, 1, 2, 4][random.below(4)];
        let (sizes, cosizes) = ([from.size(), to.size()], [from.cosize(), to.cosize()]);
        let [source, target] = cosizes.map(|cosize| cosize.saturating_sub(random.below(3)));
        let way = random.below(4);
        let made = match way {
            0 => Relayout::plan_by_number(&from, &to, element),
            _ => Relayout::plan(&from, &to, element),
        };
        let result = made.and_then(|plan| match way {
            1 => plan.max(&vec![0_u16; source], &mut vec![0; target]),
            _ => plan.run(&vec![0_u16; source], &mut vec![0; target]),
        });
        let Err(error) = result else { continue };
        refusals += 1;
        let sentence = error.to_string();
        let computed = match &error {
            RelayoutError::Shapes { why, .. } if why.contains("sizes") => sizes.to_vec(),
            RelayoutError::Length { of: "source", .. } => vec![cosizes[0], source],
            RelayoutError::Length { .. } => vec![cosizes[1], target],
            RelayoutError::Element { .. } => vec![element, 2],
            _ => Vec::new(),
        };
        kinds.insert(sentence.split(' ').nth(1).map(str::to_string));
        let mut known = numbers(&format!("{from} {to}"));
        known.extend(computed.into_iter().map(|number| number as u128));
        let unknown: Vec<_> = numbers(&sentence).difference(&known).copied().collect();
        assert!(
            unknown.is_empty(),
            "nobody wrote {unknown:?}, and nothing says what they are: {sentence}"
        );
    }
    assert!(kinds.len() > 2, "{kinds:?}");
}

/// Shapes of any kind of one size, paired by index.
#[test]
fn reshapes_by_number() {
    let mut random = Random::seeded();
    let fit = |size: usize, random: &mut Random| {
        let (mut left, mut extents) = (size, Vec::new());
        while left > 1 {
            let divisors: Vec<_> = (2..=left).filter(|n| left % n == 0).collect();
            extents.push(divisors[random.below(divisors.len())]);
            left /= extents[extents.len() - 1];
        }
        if extents.is_empty() { vec![1] } else { extents }
    };
    for _ in 0..300 {
        let size = [1, 12, 24, 30, 60, 64, 120, 210, 360][random.below(9)];
        let [from, to] = [0, 1].map(|_| {
            let extents = fit(size, &mut random);
            layout(&extents, &strides(&extents, &mut random))
        });
        let plan = Relayout::plan_by_number(&from, &to, 4).unwrap();
        check::<[u8; 4]>(&from.into(), &to.into(), &plan, &mut random);
    }
}
