//! Random pairs of layouts, and what a relayout of them gives. `RELAYOUTS` says how many, `SEED`
//! from which seed: else each day has its own.

use std::time::{SystemTime, UNIX_EPOCH};

use layout_algebra::prelude::*;
use layout_emit::NamedLayout;

fn number_of(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }
}

/// One side of a relayout: its text, and the offset of each element from the least offset.
pub struct Side {
    pub text: String,
    pub offsets: Vec<usize>,
}

impl Side {
    pub fn room(&self) -> usize {
        self.offsets.iter().max().map_or(0, |last| last + 1)
    }
}

/// Strides in a random order of the axes, some padded, some negative; on the source's side some 0.
fn draw_side(random: &mut Random, extents: &[usize], is_source: bool) -> Side {
    let mut order: Vec<usize> = (0..extents.len()).collect();
    (1..order.len()).rev().for_each(|k| order.swap(k, random.below(k + 1)));
    let (mut strides, mut next) = (vec![0; extents.len()], 1);
    for k in order {
        strides[k] = next as i64;
        next = next * extents[k] + [0, 0, 0, 1, 3, 8][random.below(6)];
        match random.below(12) {
            0 => strides[k] = -strides[k],
            1 if is_source => strides[k] = 0,
            _ => {}
        }
    }
    let size = extents.iter().product();
    let at = |i: usize| {
        let mut rest = i;
        let digits = extents.iter().map(|extent| {
            let digit = rest % extent;
            rest /= extent;
            digit as i64
        });
        digits.zip(&strides).map(|(digit, stride)| digit * stride).sum::<i64>()
    };
    let signed: Vec<i64> = (0..size).map(at).collect();
    let least = signed.iter().copied().min().unwrap_or(0);
    let offsets = signed.iter().map(|offset| (offset - least) as usize).collect();
    let list = |numbers: Vec<String>| format!("({})", numbers.join(","));
    let [extents, strides] = [
        list(extents.iter().map(usize::to_string).collect()),
        list(strides.iter().map(i64::to_string).collect()),
    ];
    Side { text: format!("{extents}:{strides}"), offsets }
}

/// A swizzled tile of rows.
fn draw_swizzled(random: &mut Random, extents: [usize; 2]) -> Side {
    let swizzle = ["Sw<1,4,3>", "Sw<2,3,3>", "Sw<3,3,3>"][random.below(3)];
    let text = format!("{swizzle} o 0 o ({},{}):({},1)", extents[0], extents[1], extents[1]);
    let layout: DynComposedLayout = text.parse().expect("a layout");
    let offsets = (0..layout.size()).map(|i| layout.at(i)).collect();
    Side { text, offsets }
}

/// Elements of both sides, of 1 to 16 bytes.
fn draw(random: &mut Random) -> (Side, Side, usize) {
    let bytes = 1 << random.below(5);
    if random.below(8) == 0 {
        let extents = [8 << random.below(4), 64];
        let (a, b) = (draw_swizzled(random, extents), draw_side(random, &extents, false));
        let is_swapped = random.below(2) == 0;
        return if is_swapped { (b, a, bytes) } else { (a, b, bytes) };
    }
    let (mut left, mut extents) = (1 << (4 + random.below(12)), Vec::new());
    for _ in 0..1 + random.below(6) {
        let extent = match random.below(4) {
            0 => [16, 32, 64][random.below(3)] + random.below(3) - 1,
            1 => 1 << random.below(6),
            _ => 1 + random.below(40),
        };
        extents.push(extent.clamp(1, left));
        left /= extents[extents.len() - 1];
    }
    (draw_side(random, &extents, true), draw_side(random, &extents, false), bytes)
}

pub fn named(side: &Side) -> NamedLayout {
    side.text.parse().unwrap_or_else(|error| panic!("{}: {error}", side.text))
}

/// A pair of layouts.
pub struct Pair {
    pub what: String,
    pub from: Side,
    pub to: Side,
    pub bytes: usize,
}

impl Pair {
    /// The bytes of both sides.
    pub fn rooms(&self) -> [usize; 2] {
        [&self.from, &self.to].map(|side| side.room() * self.bytes)
    }

    /// The target after a run, which was `before`.
    pub fn moved(&self, source: &[u8], before: &[u8]) -> Vec<u8> {
        let (mut after, bytes) = (before.to_vec(), self.bytes);
        for (&s, &d) in self.from.offsets.iter().zip(&self.to.offsets) {
            after[d * bytes..][..bytes].copy_from_slice(&source[s * bytes..][..bytes]);
        }
        after
    }
}

/// Runs each of the drawn pairs.
pub fn draw_pairs(mut run: impl FnMut(&Pair, &mut Random)) {
    let day = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs() / 86_400);
    let (seed, count) = (number_of("SEED", day), number_of("RELAYOUTS", 40));
    println!("{count} pairs of SEED={seed}");
    for number in 0..count {
        let mut random = Random(seed ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let (from, to, bytes) = draw(&mut random);
        let what = format!("number {number}: {} to {}, {bytes} bytes", from.text, to.text);
        run(&Pair { what, from, to, bytes }, &mut random);
    }
}
