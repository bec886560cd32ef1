//! Bank conflicts against sets of words, and against Triton's counts of 10,000 random linear
//! layouts for each model.

use std::collections::BTreeSet;

use layout_algebra::analysis::WarpAccess;
use layout_algebra::prelude::*;
use layout_algebra::{DynShape, DynStride, FlatLayout};
use layout_analysis::BankModel;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// The random numbers of `triton/generate.py`: SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % end as u64) as usize
    }

    fn shuffle(&mut self, list: &mut [usize]) {
        for k in (1..list.len()).rev() {
            list.swap(k, self.below(k + 1));
        }
    }
}

/// A linear layout of Triton's: the elements of the bits of register, lane and warp, and of an
/// offset.
struct Case {
    registers: Vec<usize>,
    threads: Vec<usize>,
    offsets: Vec<usize>,
    bits: usize,
}

/// The same as `case` in `triton/generate.py`.
fn case(random: &mut Random, lanes: usize) -> Case {
    let bits = 8 << random.below(4);
    let size = lanes + random.below(7);
    let mut order: Vec<usize> = (0..size).collect();
    random.shuffle(&mut order);
    let registers = size - lanes - 2.min(size - lanes);
    let of: Vec<usize> = order.iter().map(|bit| 1 << bit).collect();
    let vector = registers.min(random.below(5));
    let mut rest = of[vector..].to_vec();
    random.shuffle(&mut rest);
    let mut offsets = [&of[..vector], &rest].concat();
    for _ in 0..random.below(5) {
        let (a, b) = (vector + random.below(rest.len()), vector + random.below(rest.len()));
        if a != b {
            offsets[a] ^= offsets[b];
        }
    }
    let (registers, threads) = of.split_at(registers);
    Case { registers: registers.to_vec(), threads: threads.to_vec(), offsets, bits }
}

/// The offset of each bit of an element, for the elements of the bits of an offset.
fn inverted(elements: &[usize]) -> Vec<usize> {
    let mut of = vec![0];
    for vector in elements {
        let more: Vec<usize> = of.iter().map(|element| element ^ vector).collect();
        of.extend(more);
    }
    let mut offsets = vec![0; of.len()];
    of.iter().enumerate().for_each(|(offset, &element)| offsets[element] = offset);
    (0..elements.len()).map(|bit| offsets[1 << bit]).collect()
}

fn of_bits(bits: &[usize], stride: fn(usize) -> DynStride) -> DynLayout {
    match bits {
        [] => DynLayout::left(&DynShape::from(1)),
        _ => DynLayout::with_strides(vec![2; bits.len()], bits.iter().map(|&bit| stride(bit)))
            .expect("a layout"),
    }
}

impl Case {
    /// The passes of a phase, and what Triton says where accesses are less than a word: it has no
    /// conflict of two elements of one bank whose offsets within their words differ too.
    fn ways(&self, model: &BankModel, lanes: usize) -> (usize, usize) {
        let inverse = inverted(&self.offsets);
        let offset = |element: usize| inverse[element.trailing_zeros() as usize];
        // The widest access: registers that are the lowest bits of offsets, which nothing else has.
        let is_vector = |width: &usize| {
            let own = |element: &usize| {
                offset(*element) < 1 << width && offset(*element).is_power_of_two()
            };
            let mut others =
                self.registers.iter().filter(|element| !own(element)).chain(&self.threads);
            self.registers.iter().filter(|element| own(element)).count() == *width
                && others.all(|&element| offset(element) % (1 << width) == 0)
        };
        let most = (128 / self.bits).ilog2() as usize;
        let width = (0..=most).rev().find(is_vector).expect("an element");
        let mut registers = self.registers.clone();
        registers.sort_by_key(|&element| offset(element));
        // One access of one warp: all others have other constants.
        let [threads, values] =
            [&self.threads[..lanes], &registers[..width]].map(|of| of_bits(of, DynStride::Natural));
        let threads = DynLayout::tuple(&[threads, values]).expect("two modes");
        let (memory, access) = (of_bits(&inverse, DynStride::Xor), self.bits << width);
        let costs = model.conflicts(&memory, &threads, self.bits, access).expect("an access");
        let of_lane = |lane: usize| {
            (0..lanes)
                .filter(|bit| lane >> bit & 1 == 1)
                .fold(0, |all, bit| all ^ offset(self.threads[bit]))
        };
        let row = model.banks() * 32 / self.bits;
        let same: BTreeSet<usize> =
            (0..model.lanes_of_phase(access)).map(of_lane).filter(|at| at % row == 0).collect();
        (costs.ways, if access < 32 { same.len() } else { costs.ways })
    }
}

/// Each digit of the file is the logarithm of one more than what Triton counts.
fn triton(model: &BankModel, lanes: usize, seed: u64, counts: &str) {
    let mut random = Random(seed);
    let counts: Vec<usize> =
        counts.split_whitespace().flat_map(str::bytes).map(|digit| 1 << (digit - b'0')).collect();
    assert_eq!(counts.len(), 10_000);
    let mut within_words = 0;
    for (number, &count) in counts.iter().enumerate() {
        let case = case(&mut random, lanes);
        let (ways, of_words) = case.ways(model, lanes);
        let about = || {
            format!(
                "{number}: {:?} {:?} {:?} {}",
                case.registers, case.threads, case.offsets, case.bits
            )
        };
        assert!(
            ways == count || of_words == count && ways > count,
            "{}: {ways} {of_words} {count}",
            about()
        );
        within_words += usize::from(ways != count);
    }
    println!(
        "Triton leaves out conflicts within words in {within_words} of {} layouts",
        counts.len()
    );
    assert!(within_words < 100);
}

#[test]
fn conflicts_of_sm_90_are_tritons() {
    triton(&BankModel::sm_90(), 5, 1, include_str!("triton/sm_90.txt"));
}

#[test]
fn conflicts_of_gfx942_are_tritons() {
    triton(&BankModel::gfx942(), 6, 2, include_str!("triton/gfx942.txt"));
}

#[test]
fn conflicts_of_gfx950_are_tritons() {
    triton(&BankModel::gfx950(), 6, 3, include_str!("triton/gfx950.txt"));
}

proptest! {
    /// The model of NVIDIA that an H200 was compared with, for accesses whose phases are never two
    /// in one.
    #[test]
    fn conflicts_of_sm_90_are_those_of_the_crate(
        strides in vec(0..70usize, 7),
        (rows, columns) in (select(vec![1usize, 4, 8, 32, 128]), 1..5usize),
        padded in 0..3usize,
        bits in select(vec![8usize, 16, 32]),
    ) {
        let bits_of_thread = DynLayout::new(vec![2; 7], strides).expect("a layout");
        let (count, size) = (bits_of_thread.size(), 64 * 70 * 7);
        let threads = bits_of_thread.compose(rows.min(count)).expect("a part");
        let values = DynLayout::new(columns, size).expect("a layout");
        let threads = DynLayout::tuple(&[threads, values]).expect("two modes");
        let memory = DynLayout::new((size, columns), (1 + padded, size * (1 + padded))).expect("a layout");
        let found = BankModel::sm_90().conflicts(&memory, &threads, bits, bits).expect("an access");
        let theirs = WarpAccess::new(&FlatLayout::of(&threads), bits, bits).bank_conflicts(&FlatLayout::of(&memory));
        prop_assert_eq!(
            (found.instructions, found.phases, found.passes, found.conflicts, found.ways),
            (theirs.instructions, theirs.phases, theirs.passes, theirs.conflicts, theirs.ways)
        );
    }

    /// Sets of words, for any model, and for phases that take the lanes in another order.
    #[test]
    fn conflicts_are_those_of_sets(
        (lanes, banks, bank_bits) in (0..7u32, 0..7u32, select(vec![16usize, 32, 64])),
        strides in vec(0..40usize, 2),
        (threads, values, together) in (1..150usize, 1..3usize, 0..3u32),
        turn in 1..64usize,
        bits in select(vec![4usize, 8, 32, 64]),
    ) {
        let (lanes, banks, together) = (1usize << lanes, 1usize << banks, 1usize << together);
        let order: Vec<usize> = (0..lanes).map(|lane| (lane + turn) % lanes).collect();
        let model = BankModel::new(lanes, banks, bank_bits).expect("a model").with_order(&order).expect("an order");
        let memory = DynLayout::new(1 << 16, 1).expect("a layout");
        let shape: DynShape = format!("({threads},({together},{values}))").parse().expect("a shape");
        let strides = [strides[0] * together, 1, strides[1] * together];
        let layout = DynLayout::with_strides(&shape, strides).expect("a layout");
        let access = together * bits;
        let found = model.conflicts(&memory, &layout, bits, access).expect("an access");
        let at_once = (banks * bank_bits / access.max(bank_bits)).clamp(1, lanes);
        let (mut phases, mut passes) = (0, 0);
        for first in (0..threads).step_by(lanes) {
            for value in 0..values {
                for phase in order.chunks(at_once) {
                    let mut of_bank = vec![BTreeSet::new(); banks];
                    for thread in phase.iter().map(|lane| first + lane).filter(|&thread| thread < threads) {
                        for bit in 0..access {
                            let word = ((thread * strides[0] + value * strides[2]) * bits + bit) / bank_bits;
                            of_bank[word % banks].insert(word);
                        }
                    }
                    let most = of_bank.iter().map(BTreeSet::len).max().unwrap_or(0);
                    phases += usize::from(most > 0);
                    passes += most;
                }
            }
        }
        prop_assert_eq!((found.phases, found.passes, found.conflicts), (phases, passes, passes - phases));
    }
}

#[test]
fn what_is_no_access_is_refused() {
    let layout = |text: &str| text.parse::<DynLayout>().expect("a layout");
    let refused = |memory: &str, threads: &str, bits: usize, access: usize| {
        let found = BankModel::gfx942().conflicts(&layout(memory), &layout(threads), bits, access);
        found.expect_err("a refusal").to_string()
    };
    assert_eq!(
        refused("64:1", "(32,2):(2,1)", 32, 48),
        "the bits of an access is 48, and has to be an element, or 2^k of them that divide the \
         values of a thread, and 4,096 at most"
    );
    assert!(refused("64:1", "(32,2):(2,1)", 0, 0).starts_with("the bits of an access is 0"));
    assert!(refused("64:1", "(32,2):(2,1)", 32, 128).starts_with("the bits of an access is 128"));
    assert_eq!(
        refused("60:1", "(32,2):(2,1)", 32, 64),
        "value 0 of thread 30 is no element of 60:1"
    );
    assert_eq!(
        refused("(64,2):(1,100)", "(32,2):(1,64)", 32, 64),
        "values 0 and 1 of thread 0 are not contiguous: their offsets are 0 and 100"
    );
    assert_eq!(
        refused("64:1", "(16,2):(1,1)", 32, 64),
        "value 0 of thread 1 has offset 1, no multiple of 2"
    );
    assert_eq!(refused("64:-1", "32:-1", 32, 32), "value 0 of thread 1 is no element of 64:-1");
    let none = BankModel::sm_90()
        .conflicts(&layout("64:1"), &layout("(0,2):(2,1)"), 32, 64)
        .expect("no access");
    assert_eq!((none.instructions, none.passes, none.ways), (0, 0, 0));
}
