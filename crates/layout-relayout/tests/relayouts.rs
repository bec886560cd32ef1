//! Random relayouts, every element tagged, against one offset after the other: all instruction sets, element sizes and
//! kinds of strides, with streaming stores and without, on one thread and on all.
//!
//! `RELAYOUTS=100000 cargo test -p layout-relayout --release --test relayouts` runs as many cases, of up to 2^20
//! elements; `SEED=1` and other numbers give others.

use bytemuck::Pod;
use layout_algebra::DynStride;
use layout_algebra::prelude::*;
use layout_relayout::{AnyLayout, InstructionSet, Relayout, RelayoutError};

/// Numbers that are the same each time (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }

    fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<_> = (0..n).collect();
        (1..n).for_each(|k| order.swap(k, self.below(k + 1)));
        order
    }
}

/// An element of any size, told apart from its neighbours by its bytes.
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

/// What the plan has to give: one offset after the other.
fn expected<T: Pod>(from: &AnyLayout, to: &AnyLayout, source: &[T], target: &[T]) -> Vec<T> {
    let mut target = target.to_vec();
    (0..from.size()).for_each(|i| target[to.at(i)] = source[from.at(i)]);
    target
}

/// Runs the plan of two layouts in every way, on slices that begin at any byte of a line: elements that are aligned to
/// nothing, as `T` has to be, need not begin at a multiple of their size.
fn check<T: Pod + PartialEq>(from: &AnyLayout, to: &AnyLayout, plan: &Relayout, random: &mut Random) {
    let (begin, end) = (random.below(64), random.below(3) * size_of::<T>());
    let whole = |count: usize| begin + count * size_of::<T>() + end;
    fn elements<T: Pod>(bytes: &[u8]) -> &[T] {
        bytemuck::cast_slice(bytes)
    }
    let mut source = vec![0; whole(from.cosize())];
    source[begin..].copy_from_slice(bytemuck::cast_slice(&tagged::<T>(from.cosize() + end / size_of::<T>())));
    let before = vec![0xA5; whole(to.cosize())];
    let source = elements::<T>(&source[begin..]);
    let expected = expected(from, to, source, elements(&before[begin..]));
    for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        for stream in [false, true] {
            let plan = plan.clone().with_instruction_set(set).unwrap().with_streaming(stream).with_parallel_from(0);
            for all_threads in [false, true] {
                let mut target = before.clone();
                let elements_of_target = bytemuck::cast_slice_mut::<u8, T>(&mut target[begin..]);
                if all_threads {
                    plan.run_parallel(source, elements_of_target).unwrap();
                } else {
                    plan.run(source, elements_of_target).unwrap();
                }
                let wrong = (0..expected.len()).find(|&k| elements_of_target[k] != expected[k]);
                let (from, to) = (text(from), text(to));
                assert_eq!(wrong, None, "{from} to {to} from byte {begin}, all threads {all_threads}:\n{plan}");
                assert!(target[..begin] == before[..begin], "before the slice");
            }
        }
    }
}

fn text(layout: &AnyLayout) -> String {
    match layout {
        AnyLayout::Strided(layout) => layout.to_string(),
        AnyLayout::Composed(layout) => layout.to_string(),
    }
}

fn check_size(from: AnyLayout, to: AnyLayout, element: usize, random: &mut Random) {
    macro_rules! of {
        ($($size:literal)*) => {
            match element {
                $($size => {
                    let plan = match (&from, &to) {
                        (AnyLayout::Strided(f), AnyLayout::Strided(t)) => Relayout::plan(f, t, element),
                        (AnyLayout::Strided(f), AnyLayout::Composed(t)) => Relayout::plan(f, t, element),
                        (AnyLayout::Composed(f), AnyLayout::Strided(t)) => Relayout::plan(f, t, element),
                        (AnyLayout::Composed(f), AnyLayout::Composed(t)) => Relayout::plan(f, t, element),
                    };
                    check::<[u8; $size]>(&from, &to, &plan.unwrap(), random)
                })*
                _ => unreachable!("no such element"),
            }
        };
    }
    of! { 1 2 3 4 6 8 12 16 24 32 }
}

const ELEMENTS: [usize; 10] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];

fn layout(extents: &[usize], strides: &[isize]) -> DynLayout {
    let stride = |&stride: &isize| match stride {
        ..0 => DynStride::Negative(stride.unsigned_abs()),
        _ => DynStride::Natural(stride as usize),
    };
    let shape = DynShape::tuple(extents.iter().map(|&extent| DynShape::from(extent))).unwrap();
    DynLayout::with_strides(shape, strides.iter().map(stride)).unwrap()
}

/// Strides in a random order of the modes, mostly compact, with gaps and backwards now and then.
fn strides(extents: &[usize], random: &mut Random) -> Vec<isize> {
    let mut strides = vec![0; extents.len()];
    let mut next = if random.below(6) == 0 { 1 + random.below(3) } else { 1 };
    for k in random.shuffled(extents.len()) {
        strides[k] = next as isize;
        next *= extents[k].max(1);
        match random.below(8) {
            0 => next += random.below(5),
            1 => next = next.next_multiple_of(16),
            _ => {}
        }
        if random.below(12) == 0 {
            strides[k] = -strides[k];
        }
    }
    strides
}

/// Extents whose product is at most `most`: one in four around a block or a tile.
fn extents(most: usize, random: &mut Random) -> Vec<usize> {
    const NEAR: [usize; 14] = [2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65];
    let (rank, mut left) = (1 + random.below(6), most);
    let mut extents = Vec::new();
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
        // A source that is read again and again, a destination that is written again and again.
        0 => from[random.below(extents.len())] = 0,
        1 => to[random.below(extents.len())] = 0,
        2 => to.iter_mut().for_each(|stride| *stride = 1 + random.below(9) as isize),
        _ => {}
    }
    let element = ELEMENTS[random.below(ELEMENTS.len())];
    check_size(layout(&extents, &from).into(), layout(&extents, &to).into(), element, random);
}

#[test]
fn random_relayouts() {
    let number = |name: &str, usual: u64| std::env::var(name).map_or(usual, |text| text.parse().unwrap());
    let (cases, seed) = (number("RELAYOUTS", 800), number("SEED", 0));
    let mut random = Random(0x2545_F491_4F6C_DD1D ^ seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    for k in 0..cases {
        // Most of them small, for those are most; a few of up to 2^20 elements.
        let most = match (k % 50, cases > 800) {
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
    const SIZES: [usize; 21] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129];
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
            for (rows, columns) in [(around - 1, around + 1), (around, around), (2 * around + 1, 3), (5, 2 * around)] {
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
        check_size(plain.clone().into(), swizzled.clone().into(), element, &mut random);
        check_size(swizzled.clone().into(), plain.clone().into(), element, &mut random);
        check_size(xor.clone().into(), plain.clone().into(), element, &mut random);
        check_size(swizzled.clone().into(), xor.clone().into(), element, &mut random);
    }
}

#[test]
fn what_is_refused() {
    let plan = |from: &str, to: &str, element| {
        Relayout::plan(&from.parse::<DynLayout>().unwrap(), &to.parse::<DynLayout>().unwrap(), element)
    };
    let text = |plan: Result<Relayout, RelayoutError>| plan.unwrap_err().to_string();
    assert_eq!(text(plan("12:1", "13:1", 4)), "no relayout of 12:1 to 13:1: their sizes are 12 and 13");
    assert!(text(plan("(2,6):(1,2)", "(3,4):(1,3)", 4)).ends_with("their extents 2 and 3 divide into no common ones"));
    assert!(plan("(2,2,6):(1,2,4)", "(4,6):(6,1)", 4).is_ok());
    let overflow = text(plan("(2,2):(1,4611686018427387904)", "(2,2):(1,2)", 16));
    assert!(overflow.starts_with("elements of 16 bytes under (2,2):(1,4611686018427387904) take more"), "{overflow}");

    // Elements of no bytes are as many as one likes, and nothing is done for them.
    let many = plan("(4,1152921504606846976):(1,4)", "(4,1152921504606846976):(1,4)", 0).unwrap();
    many.run(&[(); usize::MAX], &mut [(); usize::MAX]).unwrap();
    layout_relayout::transpose_in_place(&mut [(); 1 << 60], 1 << 20, 1 << 40).unwrap();
    assert!(text(plan("4:4611686018427387904", "(2,2):(1,2)", 0)).starts_with("elements of 0 bytes under 4:46"));

    let transpose = plan("(3,2):(2,1)", "(3,2):(1,3)", 4).unwrap();
    let mut to = [0_u32; 6];
    assert!(transpose.run(&[1, 2, 3, 4, 5], &mut to).unwrap_err().to_string().contains("needs 6 elements"));
    assert!(transpose.run(&[1, 2, 3, 4, 5, 6], &mut to[..5]).unwrap_err().to_string().contains("the destination's"));
    assert!(transpose.run(&[0_u8; 6], &mut [0; 6]).unwrap_err().to_string().contains("elements of 4 bytes"));
    assert_eq!(to, [0; 6]);
    // Elements of no bytes, and no elements.
    plan("4:1", "4:1", 0).unwrap().run(&[(); 4], &mut [(); 4]).unwrap();
    plan("(0,4):(1,1)", "(4,0):(1,1)", 4).unwrap().run::<u32>(&[], &mut []).unwrap();
}
