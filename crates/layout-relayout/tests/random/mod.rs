//! Random numbers of the tests: the seed is printed, and `SEED=1` repeats the cases of seed 1.

use layout_algebra::DynStride;
use layout_algebra::prelude::*;

/// Pseudo-random numbers from a seed (xorshift).
pub struct Random(pub u64);

impl Random {
    /// The seed of the environment, or of the day.
    pub fn seeded() -> Self {
        let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
        let day = || std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs() / 86400);
        let seed = number("SEED").or_else(|| number("PROPTEST_RNG_SEED")).unwrap_or_else(day);
        println!("the seed of these relayouts: SEED={seed}");
        Random(0x2545_F491_4F6C_DD1D ^ seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(17) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }

    pub fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<_> = (0..n).collect();
        (1..n).for_each(|k| order.swap(k, self.below(k + 1)));
        order
    }
}

/// The number of cases of a test: `RELAYOUTS`, or else `usual`; a third of them without
/// optimization.
pub fn cases(usual: usize) -> usize {
    let asked = std::env::var("RELAYOUTS").ok();
    asked.map_or(if cfg!(debug_assertions) { usual / 3 } else { usual }, |text| {
        text.parse().unwrap()
    })
}

/// The layout of these numbers.
pub fn layout(extents: &[usize], strides: &[isize]) -> DynLayout {
    let stride = |&stride: &isize| match stride {
        ..0 => DynStride::Negative(stride.unsigned_abs()),
        _ => DynStride::Natural(stride as usize),
    };
    let shape = DynShape::tuple(extents.iter().map(|&extent| DynShape::from(extent))).unwrap();
    DynLayout::with_strides(shape, strides.iter().map(stride)).unwrap()
}

/// Strides in a random order of the modes, mostly compact, with gaps and backwards now and then.
pub fn strides(extents: &[usize], random: &mut Random) -> Vec<isize> {
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
