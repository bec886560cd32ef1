//! A survey of exactness: are results ever wrong, and does the crate refuse an operation that has a
//! result?
//!
//! Every left layout of rank 2 and 3 with extents 2 to 6, compact in every order and with twenty
//! random sets of strides each, is composed with every right layout of rank 1 with extent and
//! stride to 12, and a million random left layouts with random right layouts of rank 2. Whether a
//! composition exists is decided here, by looking at all offsets, without the crate. The same pairs
//! are divided and multiplied, and every element is counted.
//!
//! Then a million pairs of small random layouts are composed, both of rank 1 to 3 with extents 1 to
//! 8 and strides 0 to 8: sums of such small strides cancel more often than others, so that
//! compositions exist that no rule gives. The README quotes the number of refusals among them.
//!
//! `cargo run --release -p layout-algebra-benches --bin exactness [SEED]`

mod progress;

use std::process::ExitCode;

use layout_algebra::prelude::*;

use crate::progress::Progress;

const LARGEST_LEFT: usize = 6;
const LARGEST_RIGHT: usize = 12;
const RANDOM_STRIDES: usize = 20;
const LARGEST_STRIDE: usize = 64;
const RANDOM_PAIRS: usize = 1_000_000;
const SMALL_PAIRS: usize = 1_000_000;
const SMALL: usize = 8;
const SMALL_RANK: usize = 3;

/// A flat layout, as this survey knows it.
#[derive(Clone)]
struct Flat {
    shape: Vec<usize>,
    stride: Vec<usize>,
}

impl Flat {
    fn of(layout: &DynLayout) -> Flat {
        Flat { shape: layout.shape().leaves().to_vec(), stride: layout.stride().leaves().to_vec() }
    }

    fn to_layout(&self) -> DynLayout {
        let tuple = |leaves: &[usize]| match leaves {
            [leaf] => DynShape::from(*leaf),
            _ => {
                DynShape::tuple(leaves.iter().map(|&leaf| leaf.into())).expect("at least one mode")
            }
        };
        DynLayout::new(tuple(&self.shape), tuple(&self.stride)).expect("small numbers")
    }

    fn size(&self) -> usize {
        self.shape.iter().product()
    }

    /// The definition: colexicographic digits, the last mode without end.
    fn at(&self, mut index: usize) -> usize {
        let last = self.shape.len() - 1;
        let mut offset = 0;
        for (&extent, &stride) in self.shape[..last].iter().zip(&self.stride) {
            offset += index % extent * stride;
            index /= extent;
        }
        offset + index * self.stride[last]
    }

    fn fill(&self, offsets: &mut Vec<usize>) {
        offsets.clear();
        offsets.extend((0..self.size()).map(|index| self.at(index)));
    }
}

/// Is this sequence of offsets that of a layout? Its first coalesced mode must be the longest
/// linear run.
fn representable(values: &mut Vec<usize>) -> bool {
    if values[0] != 0 {
        return false;
    }
    while values.len() > 1 {
        let step = values[1];
        let run = values.iter().enumerate().take_while(|&(k, &value)| value == k * step).count();
        let whole = values.len() % run == 0;
        if !whole
            || values.chunks(run).any(|chunk| {
                chunk.iter().enumerate().any(|(k, &value)| value != chunk[0] + k * step)
            })
        {
            return false;
        }
        let rest = values.len() / run;
        (0..rest).for_each(|k| values[k] = values[k * run]);
        values.truncate(rest);
    }
    true
}

/// Does any layout `R` with `R(c) = A(B(c))` and a shape compatible with `B`'s exist? Each mode of
/// `B` alone must give a layout, and together they must add up.
fn composable(a: &Flat, b: &Flat, scratch: &mut Vec<usize>) -> bool {
    let modes = || b.shape.iter().zip(&b.stride);
    for (&extent, &stride) in modes() {
        scratch.clear();
        scratch.extend((0..extent).map(|k| a.at(k * stride)));
        if !representable(scratch) {
            return false;
        }
    }
    (0..b.size()).all(|index| {
        let mut rest = index;
        let parts = modes().map(|(&extent, &stride)| {
            let digit = rest % extent;
            rest /= extent;
            a.at(digit * stride)
        });
        let sum: usize = parts.sum();
        a.at(b.at(index)) == sum
    })
}

/// Do the modes of `r` have the sizes of the modes of `b`?
fn compatible(b: &Flat, r: &DynLayout) -> bool {
    match b.shape[..] {
        [extent] => r.size() == extent,
        _ => {
            r.rank() == b.shape.len()
                && r.modes().zip(&b.shape).all(|(mode, &extent)| mode.size() == extent)
        }
    }
}

/// xorshift64*
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end
    }
}

/// All orders of `rank` modes.
fn permutations(rank: usize) -> Vec<Vec<usize>> {
    (1..rank).fold(vec![vec![0]], |shorter, next| {
        let insert = |order: &Vec<usize>, at: usize| {
            let mut order = order.clone();
            order.insert(at, next);
            order
        };
        shorter.iter().flat_map(|order| (0..=next).map(move |at| insert(order, at))).collect()
    })
}

/// Every left layout of the survey.
fn left_layouts(random: &mut Random) -> Vec<Flat> {
    let mut layouts = Vec::new();
    for rank in [2u32, 3] {
        let extents = LARGEST_LEFT - 1;
        for number in 0..extents.pow(rank) {
            let shape: Vec<usize> =
                (0..rank).map(|k| 2 + number / extents.pow(k) % extents).collect();
            for order in permutations(shape.len()) {
                let (mut stride, mut run) = (vec![0; shape.len()], 1);
                for mode in order {
                    stride[mode] = run;
                    run *= shape[mode];
                }
                layouts.push(Flat { shape: shape.clone(), stride });
            }
            for _ in 0..RANDOM_STRIDES {
                let stride = shape.iter().map(|_| random.below(LARGEST_STRIDE + 1)).collect();
                layouts.push(Flat { shape: shape.clone(), stride });
            }
        }
    }
    layouts
}

/// Counts how often each offset occurs.
#[derive(Default)]
struct Census {
    counts: Vec<u32>,
}

impl Census {
    /// Whether both lists hold the same offsets, each as often.
    fn same(&mut self, left: &[usize], right: &[usize]) -> bool {
        let end = left.iter().chain(right).max().map_or(0, |&offset| offset + 1);
        self.counts.resize(self.counts.len().max(end), 0);
        left.iter().for_each(|&offset| self.counts[offset] += 1);
        let fits = right.iter().fold(left.len() == right.len(), |fits, &offset| {
            let present = self.counts[offset] > 0;
            self.counts[offset] -= u32::from(present);
            fits && present
        });
        left.iter().for_each(|&offset| self.counts[offset] = 0);
        fits
    }

    fn all_different(&mut self, offsets: &[usize]) -> bool {
        let end = offsets.iter().max().map_or(0, |&offset| offset + 1);
        self.counts.resize(self.counts.len().max(end), 0);
        let mut different = true;
        for &offset in offsets {
            different &= self.counts[offset] == 0;
            self.counts[offset] = 1;
        }
        offsets.iter().for_each(|&offset| self.counts[offset] = 0);
        different
    }
}

/// What was found.
#[derive(Default)]
struct Tally {
    pairs: usize,
    exist: usize,
    returned: usize,
    wrong: usize,
    missed: usize,
    divided: usize,
    divides_wrong: usize,
    multiplied: usize,
    products_wrong: usize,
}

/// The survey of one pair, with memory that is used again.
#[derive(Default)]
struct Survey {
    tally: Tally,
    census: Census,
    of_left: Vec<usize>,
    of_right: Vec<usize>,
    of_result: Vec<usize>,
    scratch: Vec<usize>,
}

impl Survey {
    fn pair(&mut self, a: &Flat, b: &Flat) {
        let (left, right) = (a.to_layout(), b.to_layout());
        a.fill(&mut self.of_left);
        b.fill(&mut self.of_right);
        self.tally.pairs += 1;
        self.compose(a, b, &left, &right);
        let injective = self.census.all_different(&self.of_right);
        self.divide(a, b, &left, &right, injective);
        self.multiply(&left, &right, injective);
    }

    /// Is the composition right, and is it refused only if there is none?
    fn compose(&mut self, a: &Flat, b: &Flat, left: &DynLayout, right: &DynLayout) {
        let exists = composable(a, b, &mut self.scratch);
        self.tally.exist += usize::from(exists);
        match left.compose(right) {
            Ok(result) => {
                self.tally.returned += 1;
                Flat::of(&result).fill(&mut self.of_result);
                let right_offsets = self.of_right.iter().map(|&index| a.at(index));
                if !compatible(b, &result) || !self.of_result.iter().copied().eq(right_offsets) {
                    self.tally.wrong += 1;
                    eprintln!("\nwrong: {left} o {right} is not {result}");
                }
            }
            Err(_) => self.tally.missed += usize::from(exists),
        }
    }

    /// Does a divide hold every element of `A` exactly once, and is its first mode `A o B`? A tile
    /// that repeats offsets repeats elements by its nature, so that only its first mode is
    /// compared.
    fn divide(&mut self, a: &Flat, b: &Flat, left: &DynLayout, right: &DynLayout, injective: bool) {
        let Ok(result) = left.logical_divide(right) else { return };
        self.tally.divided += 1;
        Flat::of(&result).fill(&mut self.of_result);
        let tile = (0..b.size()).all(|index| self.of_result[index] == a.at(self.of_right[index]));
        if !tile || injective && !self.census.same(&self.of_left, &self.of_result) {
            self.tally.divides_wrong += 1;
            eprintln!("\nelements lost or doubled: {left} / {right} is not {result}");
        }
    }

    /// Is a product `size(B)` copies of `A`, all disjoint where `A` and `B` repeat no offset?
    fn multiply(&mut self, left: &DynLayout, right: &DynLayout, injective: bool) {
        let Ok(result) = left.logical_product(right) else { return };
        self.tally.multiplied += 1;
        Flat::of(&result).fill(&mut self.of_result);
        let copies = self.of_result.chunks(self.of_left.len());
        let whole = self.of_result.len() == self.of_left.len() * self.of_right.len()
            && copies
                .into_iter()
                .all(|copy| copy.iter().zip(&self.of_left).all(|(x, y)| *x == copy[0] + y));
        let disjoint = !injective
            || !self.census.all_different(&self.of_left)
            || self.census.all_different(&self.of_result);
        if !whole || !disjoint {
            self.tally.products_wrong += 1;
            eprintln!("\nelements lost or doubled: {left} * {right} is not {result}");
        }
    }
}

fn main() -> ExitCode {
    let seed = match std::env::args().nth(1).map(|text| text.parse::<u64>()) {
        None => 1,
        Some(Ok(seed)) => seed,
        Some(Err(error)) => {
            eprintln!("the seed is a number: {error}");
            return ExitCode::FAILURE;
        }
    };
    // xorshift must not start at 0.
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let lefts = left_layouts(&mut random);
    let rights: Vec<Flat> = (1..=LARGEST_RIGHT)
        .flat_map(|extent| {
            (0..=LARGEST_RIGHT)
                .map(move |stride| Flat { shape: vec![extent], stride: vec![stride] })
        })
        .collect();

    let mut survey = Survey::default();
    let total = lefts.len() * rights.len() + RANDOM_PAIRS + SMALL_PAIRS;
    let progress = Progress::new("pairs of layouts", total);
    for left in &lefts {
        rights.iter().for_each(|right| survey.pair(left, right));
        progress.advance(rights.len());
    }
    for _ in 0..RANDOM_PAIRS {
        let left = &lefts[random.below(lefts.len())];
        let mut two = |least: usize| {
            (0..2).map(|_| least + random.below(LARGEST_RIGHT + 1 - least)).collect()
        };
        let right = Flat { shape: two(1), stride: two(0) };
        survey.pair(left, &right);
        progress.advance(1);
    }
    let mut small = Survey::default();
    for _ in 0..SMALL_PAIRS {
        let mut layout = || {
            let modes = (0..1 + random.below(SMALL_RANK))
                .map(|_| (1 + random.below(SMALL), random.below(SMALL + 1)));
            let (shape, stride) = modes.collect();
            Flat { shape, stride }
        };
        let (a, b) = (layout(), layout());
        b.fill(&mut small.of_right);
        small.tally.pairs += 1;
        small.compose(&a, &b, &a.to_layout(), &b.to_layout());
        progress.advance(1);
    }
    drop(progress);

    let Tally {
        pairs,
        exist,
        returned,
        wrong,
        missed,
        divided,
        divides_wrong,
        multiplied,
        products_wrong,
    } = survey.tally;
    let share = missed as f64 / exist as f64;
    println!(
        "pairs of layouts                        {pairs:>9}   ({} left layouts, seed {seed})",
        lefts.len()
    );
    println!("compositions that exist (brute force)   {exist:>9}");
    println!("  returned                              {returned:>9}");
    println!("  wrong                                 {wrong:>9}   (must be 0)");
    println!(
        "  refused though they exist             {missed:>9}   ({:.5} %, must be below 0.01 %)",
        100.0 * share
    );
    println!("divides returned                        {divided:>9}");
    println!("  with elements lost or doubled         {divides_wrong:>9}   (must be 0)");
    println!("products returned                       {multiplied:>9}");
    println!("  with elements lost or doubled         {products_wrong:>9}   (must be 0)");

    let of_small = small.tally;
    println!("pairs of small layouts                  {:>9}", of_small.pairs);
    println!("  compositions that exist               {:>9}", of_small.exist);
    println!("  returned                              {:>9}", of_small.returned);
    println!("  wrong                                 {:>9}   (must be 0)", of_small.wrong);
    println!(
        "  refused though they exist             {:>9}   (must be below 80 in a million pairs)",
        of_small.missed
    );

    // Every composition that exists was returned or missed, or else one was returned that does not
    // exist.
    let exact =
        wrong + divides_wrong + products_wrong == 0 && returned + missed == exist && share < 1e-4;
    let of_small = of_small.wrong == 0
        && of_small.returned + of_small.missed == of_small.exist
        && of_small.missed < 80;
    let exact = exact && of_small;
    println!("{}", if exact { "exact" } else { "NOT EXACT" });
    if exact { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
