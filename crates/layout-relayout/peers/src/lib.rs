//! What the programs beside the peers share: the clock, layouts, draws.

use std::env;
use std::time::{Duration, Instant};

use layout_algebra::prelude::*;

/// A way to do the work that is measured.
pub type Way<'a> = Box<dyn FnMut() + 'a>;

/// The processor time of this thread in seconds.
fn processor_time() -> f64 {
    cpu_time::ThreadTime::now().as_duration().as_secs_f64()
}

/// The best time of each way.
pub fn best(mut ways: Vec<Way>) -> Vec<f64> {
    let of_lines = env::var("MS").map_or(40, |text| text.parse().expect("milliseconds"));
    let timed = |way: &mut Way, repeats: usize| {
        let begin = processor_time();
        (0..repeats).for_each(|_| way());
        (processor_time() - begin) / repeats as f64
    };
    let repeats = |way: &mut Way| {
        way();
        ((60e-6 / timed(way, 1).max(1e-8)) as usize).clamp(1, 100_000)
    };
    let repeats: Vec<_> = ways.iter_mut().map(repeats).collect();
    let (mut best, begin) = (vec![f64::INFINITY; ways.len()], Instant::now());
    for round in 0.. {
        if round >= 5 && begin.elapsed() > Duration::from_millis(of_lines) {
            break;
        }
        for (k, way) in ways.iter_mut().enumerate() {
            best[k] = best[k].min(timed(way, repeats[k]));
        }
    }
    best
}

/// A layout of natural strides.
pub fn layout(extents: &[usize], strides: &[isize]) -> DynLayout {
    let shape = DynShape::tuple(extents.iter().map(|&extent| DynShape::from(extent))).unwrap();
    DynLayout::with_strides(shape, strides.iter().map(|&d| DynStride::Natural(d as usize))).unwrap()
}

/// Column-major strides.
pub fn compact(extents: &[usize]) -> Vec<isize> {
    let mut next = 1;
    let stride = |&extent: &usize| {
        next *= extent as isize;
        next / extent as isize
    };
    extents.iter().map(stride).collect()
}

/// Draws of a seed: xorshift.
pub struct Draws(u64);

impl Draws {
    /// The draws of a seed.
    pub fn new(seed: u64) -> Draws {
        Draws(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    /// Extents of 2 to 1,000 with some `count` elements.
    pub fn extents(&mut self, rank: usize, count: usize) -> Vec<usize> {
        let (mut left, mut extents) = (count, Vec::new());
        for rest in (0..rank).rev() {
            let usual = (left as f64).powf(1.0 / (rest + 1) as f64);
            let extent = (2.0 * usual * self.below(1000) as f64 / 1000.0) as usize + 2;
            let extent = if rest == 0 { left } else { extent }.min(left >> rest).clamp(2, 1000);
            extents.push(extent);
            left = (left / extent).max(1);
        }
        extents
    }
}
