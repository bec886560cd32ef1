//! Random refusals: each message is true of its operands. Each number of a message is in an
//! operand, or the message says how it is computed, which is repeated here.

use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

use layout_algebra::DynStride;
use layout_algebra::prelude::*;

/// How many refusals are read.
const REFUSALS: usize = if cfg!(feature = "thorough") { 100_000 } else { 10_000 };

/// The seed of the day, or that of `SEED`: printed where a test fails.
fn seed() -> u64 {
    let given = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok());
    given.unwrap_or_else(|| {
        SystemTime::now().duration_since(UNIX_EPOCH).expect("a day").as_secs() / 86_400
    })
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    /// Modes whose strides are compact, padded or any, some of them nested, now and then an extent
    /// of 0 or a stride of
    /// 0.
    fn layout(&mut self) -> DynLayout {
        const EXTENTS: [usize; 14] = [1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 10, 12, 20];
        let rank = 1 + self.below(4);
        let (mut shape, mut stride, mut run) = (Vec::new(), Vec::new(), 1);
        for _ in 0..rank {
            let extent = if self.below(60) == 0 { 0 } else { EXTENTS[self.below(EXTENTS.len())] };
            shape.push(extent);
            stride.push(match self.below(5) {
                0 => self.below(40),
                1 => run + self.below(3),
                _ => run,
            });
            run = stride[shape.len() - 1].max(1) * extent.max(1);
        }
        if self.below(3) == 0 {
            stride.reverse();
        }
        let join =
            |numbers: &[usize]| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        let nested = if rank > 2 && self.below(2) == 0 { 1 + self.below(rank - 1) } else { 0 };
        let tree = |numbers: &[usize]| match nested {
            0 => format!("({})", join(numbers)),
            _ => format!("(({}),{})", join(&numbers[..nested]), join(&numbers[nested..])),
        };
        format!("{}:{}", tree(&shape), tree(&stride)).parse().expect("a layout")
    }
}

/// The numbers in a text.
fn numbers(text: &str) -> BTreeSet<usize> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// The layouts that a text names.
fn layouts_in(text: &str) -> Vec<DynLayout> {
    let words = text.split(' ').map(|word| word.trim_end_matches([',', ':']));
    words.filter(|word| word.contains(':')).filter_map(|word| word.parse().ok()).collect()
}

/// The extents and strides of a layout.
fn modes(layout: &DynLayout) -> impl Iterator<Item = (usize, usize)> {
    layout.shape().leaves().to_vec().into_iter().zip(layout.stride().leaves().to_vec())
}

/// What a sentence may name without an operand that has it: what it says it is.
fn computed(fault: Fault, left: &DynLayout, right: &DynLayout, text: &str) -> Vec<usize> {
    // A mode of the left layout is one of its coalesced modes; the end of one continues in the
    // next.
    let named: Vec<DynLayout> = layouts_in(text);
    let of_left = |extent, stride| {
        named.iter().any(|l| modes(&l.coalesce_z()).any(|mode| mode == (extent, stride)))
    };
    // What is left of a right mode `n:d` after `t` steps is `n/t : t*d`.
    let of_right = |extent: usize, stride: usize| {
        let all: Vec<_> = named.iter().flat_map(modes).collect();
        all.iter().any(|&(n, d)| extent > 0 && n % extent == 0 && d * (n / extent) == stride)
    };
    let spans = |below: usize| {
        below == 1 || [left, right].iter().any(|l| modes(l).any(|(s, d)| s * d == below))
    };
    let sizes = |number: usize| {
        let of = |l: &DynLayout| {
            l.size() == number || (0..l.rank()).any(|k| l.mode(k).unwrap().size() == number)
        };
        of(left) || of(right)
    };
    let is_true = match fault {
        Fault::Steps { extent, stride, steps, left_extent, left_stride } => {
            let whole = steps > 0 && steps <= left_extent && extent % steps != 0;
            whole && of_left(left_extent, left_stride) && of_right(extent, stride)
        }
        Fault::Carry { extent, stride, .. } => of_left(extent, stride),
        Fault::Overlap { stride, below, .. } => stride < below && spans(below),
        Fault::Stride { stride, below } => stride % below != 0 && spans(below),
        Fault::Span { extent, span } => span == 0 || (extent % span != 0 && spans(span)),
        Fault::Within { stride, extent, below } => stride < extent * below,
        Fault::Strides { stride, below } => stride % below != 0,
        Fault::Sizes { left, right } => left != right && sizes(left) && sizes(right),
        Fault::NoRefinement { extent, other_extent, .. } => other_extent % extent != 0,
        // A mode that the shape lacks is one of extent 1.
        Fault::Block { extent, block } => {
            (block == 0 || extent % block != 0) && (extent == 1 || sizes(extent)) && sizes(block)
        }
        Fault::UnitCarry { sum, unit } => {
            let below = |(s, d): (usize, usize)| {
                if s != 1 && d > 0 && d < unit && unit % d == 0 { unit - d } else { 0 }
            };
            sum == modes(left).map(below).sum::<usize>()
        }
        Fault::UnitStride { modes: count } => {
            count == modes(left).filter(|&(s, d)| d == 1 && s != 1).count()
        }
        Fault::TilerRank { layout, .. } | Fault::ProfileRank { layout, .. } => {
            layout == left.rank()
        }
        Fault::Rank { rank, .. } | Fault::Mode { rank, .. } | Fault::Modes { rank, .. } => {
            rank == left.rank()
        }
        Fault::Regroup { .. } | Fault::ZeroUnit | Fault::Overflow | Fault::NoIndex => true,
        other => panic!("the test has no rule for {other:?}"),
    };
    assert!(is_true, "{fault} is not true of {left} and {right}");
    match fault {
        Fault::Steps { extent, stride, steps, left_extent, left_stride } => {
            vec![extent, stride, steps, left_extent, left_stride]
        }
        Fault::Carry { extent, stride, .. } => vec![extent, stride],
        Fault::Overlap { below, .. } | Fault::Stride { below, .. } => vec![below],
        Fault::Span { extent, span } => vec![extent, span],
        Fault::Sizes { left, right } => vec![left, right],
        Fault::Block { extent, block } => vec![extent, block],
        Fault::NoRefinement { extent, stride, other_extent, other_stride } => {
            vec![extent, stride, other_extent, other_stride]
        }
        Fault::UnitCarry { sum, .. } => vec![sum],
        Fault::UnitStride { modes } => vec![1, modes],
        Fault::TilerRank { tiler, layout } => vec![tiler, layout],
        Fault::Rank { needed, rank } => vec![needed, rank],
        Fault::Mode { rank, .. } | Fault::Modes { rank, .. } => vec![rank],
        Fault::Overflow => vec![usize::MAX],
        _ => Vec::new(),
    }
}

#[test]
fn every_number_of_a_refusal_is_one_of_its_operands_or_said_to_be_computed() {
    let seed = seed();
    println!("SEED={seed}");
    let mut r = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (mut refusals, mut kinds) = (0, BTreeSet::new());
    while refusals < REFUSALS {
        let (a, b, n) = (r.layout(), r.layout(), r.below(30));
        let result = match r.below(18) {
            0..=4 => a.compose(&b),
            5 => a.logical_divide(&b),
            6 => a.zipped_divide(&b),
            7 => a.complement(n),
            8 => a.left_inverse(),
            9 => a.logical_product(&b),
            10 => a.upcast(n),
            11 => a.downcast(n),
            12 => a.tile_to_shape(&b.shape()),
            13 => a.layout_add(&b),
            14 => a.mode(n),
            15 => a.group(n % 5, n % 3),
            16 => a.transpose(),
            _ => a.blocked_product(&b),
        };
        let Err(error) = result else { continue };
        refusals += 1;
        kinds.insert(error.kind().as_str());
        let text = error.to_string();
        assert!(text.starts_with("cannot ") && !text.contains('_'), "{text}");
        let (operands, sentence) =
            (numbers(&format!("{a} {b} {n} {} {}", n % 5, n % 3)), error.fault().to_string());
        let named = computed(error.fault(), &a, &b, text.trim_end_matches(&sentence));
        let unknown: Vec<_> = numbers(&sentence)
            .into_iter()
            .filter(|n| !operands.contains(n) && !named.contains(n))
            .collect();
        assert!(
            unknown.is_empty(),
            "SEED={seed}: nobody wrote {unknown:?}, and nothing says what they are: {text}"
        );
    }
    assert!(kinds.len() > 5, "{kinds:?}");
}

/// A layout whose strides are negative or XOR strides here and there.
fn signed(r: &mut Random) -> DynLayout {
    loop {
        let plain = r.layout();
        let strides = plain.stride().leaves().to_vec().into_iter().map(|stride| match r.below(4) {
            0 => DynStride::Negative(stride),
            1 => DynStride::Xor(stride),
            _ => DynStride::Natural(stride),
        });
        if let Ok(layout) = DynLayout::with_strides(plain.shape(), strides.collect::<Vec<_>>()) {
            return layout;
        }
    }
}

/// The extents and strides of a layout of any kind, and whether a stride is natural.
fn text_modes(layout: &DynLayout) -> Vec<(usize, usize, bool)> {
    let text = layout.to_string();
    let (shape, stride) = text.split_once(':').expect("a layout");
    let leaves = |part: &str| -> Vec<String> {
        let words = part.split(['(', ')', ',']).filter(|word| !word.is_empty());
        words.map(str::to_string).collect()
    };
    let strides = leaves(stride).into_iter().map(|word| {
        let number = word.trim_start_matches(['-', '^']);
        (number.parse().expect("a stride"), number == word)
    });
    let extents = leaves(shape).into_iter().map(|word| word.parse().expect("an extent"));
    extents
        .zip(strides)
        .map(|(extent, (stride, is_natural))| (extent, stride, is_natural))
        .collect()
}

/// The numbers that the rules for strides of several kinds name: those of the operands, of their
/// coalesced forms, a span (extent by stride), the largest offset of modes, and how many modes,
/// elements and offsets there are.
fn named_by_rules(layouts: [&DynLayout; 2], n: usize) -> BTreeSet<usize> {
    let mut known = BTreeSet::from([usize::MAX]);
    for layout in layouts {
        for form in [layout.clone(), layout.coalesce_z()] {
            let modes: Vec<_> =
                text_modes(&form).into_iter().map(|(extent, stride, _)| (extent, stride)).collect();
            known.extend(numbers(&form.to_string()));
            known.extend(
                modes.iter().flat_map(|&(extent, stride)| [extent * stride, extent.max(1) - 1]),
            );
            known.extend(modes.iter().map(|&(extent, stride)| (extent.max(1) - 1) * stride));
            known.extend([1, form.size(), form.cosize(), form.rank(), modes.len()]);
            // XOR strides span whole bits. Of a unit, modes of strides that divide it reach all but
            // one stride.
            known.insert(form.cosize().next_power_of_two());
            let below = text_modes(&form).into_iter().filter_map(|(extent, stride, is_natural)| {
                let counts =
                    is_natural && extent != 1 && stride > 0 && stride < n && n % stride == 0;
                counts.then(|| n - stride)
            });
            known.insert(below.sum());
            known.extend(0..=modes.iter().filter(|mode| mode.1 == 1).count());
            known.extend((0..form.rank()).map(|k| form.mode(k).expect("a mode").size()));
        }
    }
    // What is left of a mode after so many of its steps, and where it goes on.
    let all = known.clone();
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
        known.extend(a.checked_mul(b));
        known.extend(a.checked_div(b).filter(|_| a % b == 0));
    }
    known
}

#[test]
fn every_number_of_a_refusal_of_signed_or_xor_strides_follows_from_its_operands() {
    let seed = seed();
    println!("SEED={seed}");
    let mut r = Random(seed.wrapping_mul(0x2545_F491_4F6C_DD1D) | 1);
    let (mut refusals, mut kinds) = (0, BTreeSet::new());
    while refusals < REFUSALS {
        let (a, n) = (signed(&mut r), r.below(30));
        let b = if r.below(2) == 0 { signed(&mut r) } else { r.layout() };
        let result = match r.below(12) {
            0..=3 => a.compose(&b),
            4 => a.logical_divide(&b),
            5 => a.complement(n),
            6 => a.left_inverse(),
            7 => a.zipped_divide(&b),
            8 => a.logical_product(&b),
            9 => a.upcast(n),
            10 => a.downcast(n),
            _ => a.try_max_common_layout(&b),
        };
        let Err(error) = result else { continue };
        refusals += 1;
        kinds.insert(error.kind().as_str());
        let sentence = error.fault().to_string();
        let mut known = numbers(&format!("{a} {b} {n}"));
        // What the operands are said to be: coalesced, the rest of a divide, what is left of a
        // mode.
        known.extend(numbers(error.to_string().trim_end_matches(&sentence)));
        match error.fault() {
            // Steps of a mode that stay linear, and where a step goes: a right mode's digits say
            // so.
            Fault::Steps { extent, steps, .. } => {
                assert!(extent % steps != 0, "{error}");
                known.insert(steps);
            }
            Fault::TwoParts { natural, without, .. } => known.extend([natural, without]),
            _ => {}
        }
        // Bits of numbers, by their places.
        if sentence.contains("bit ") {
            known.extend(0..usize::BITS as usize);
        }
        let mut unknown: Vec<_> = numbers(&sentence).difference(&known).copied().collect();
        if !unknown.is_empty() {
            let computed = named_by_rules([&a, &b], n);
            unknown.retain(|number| !computed.contains(number));
        }
        assert!(
            unknown.is_empty(),
            "SEED={seed}: nobody wrote {unknown:?}, and nothing says what they are: {error} ({a} and {b}, {n})"
        );
    }
    assert!(kinds.len() > 4, "{kinds:?}");
}
