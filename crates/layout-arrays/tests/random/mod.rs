//! Random layouts, the same for one seed: `SEED`, or the gate's `PROPTEST_RNG_SEED`, or the day.
#![allow(dead_code, reason = "each program of tests uses a part")]

use layout_arrays::ArrayLayout;

/// Random numbers (xorshift).
pub struct Random(u64);

impl Random {
    /// Numbers of this run's seed, which is printed: a failing test shows it.
    pub fn of_this_run() -> Self {
        let variable = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
        let day = || std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs() / 86_400);
        let seed = variable("SEED").or_else(|| variable("PROPTEST_RNG_SEED")).unwrap_or_else(day);
        println!("SEED={seed}");
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<_> = (0..n).collect();
        (1..n).for_each(|k| order.swap(k, self.below(k + 1)));
        order
    }

    /// A shape of up to 5 axes: small extents, with 1 often and 0 at times.
    pub fn shape(&mut self) -> Vec<usize> {
        let rank = self.below(6);
        (0..rank)
            .map(|_| {
                self.pick(&[1, 1, 2, 2, 3, 4, 6, 5, 2, 3, 4, if self.0 & 7 == 0 { 0 } else { 2 }])
            })
            .collect()
    }

    /// A shape of as many elements: the prime factors dealt out anew, with extents of 1 between.
    pub fn shape_of(&mut self, size: usize) -> Vec<usize> {
        let mut shape = vec![1; 1 + self.below(5)];
        if size == 1 && self.one_in(4) {
            return Vec::new();
        }
        if size == 0 {
            shape.iter_mut().for_each(|extent| *extent = self.below(4));
            let k = self.below(shape.len());
            shape[k] = 0;
            return shape;
        }
        let mut left = size;
        // Mostly in runs, as the factors of one axis are.
        let mut at = shape.len() - 1;
        for factor in 2..=size {
            while left % factor == 0 {
                left /= factor;
                if self.one_in(3) {
                    at = self.below(shape.len());
                }
                shape[at] *= factor;
            }
        }
        shape
    }

    /// A layout of this shape: sliced, flipped and permuted views of compact arrays, broadcast
    /// ones, and any strides.
    pub fn layout_of(&mut self, shape: &[usize]) -> ArrayLayout {
        let rank = shape.len();
        let order = self.permutation(rank);
        let order = if self.one_in(2) { (0..rank).collect() } else { order };
        let kind = self.below(4);
        let (mut strides, mut step, mut offset) = (vec![0isize; rank], 1isize, 0isize);
        for &axis in order.iter().rev() {
            let extent = shape[axis].max(1) as isize;
            strides[axis] = match kind {
                3 => self.below(9) as isize - 4,
                2 if self.one_in(3) => 0,
                _ => step,
            };
            step *= extent;
            // A part of a longer axis, every other element, or all.
            if kind > 0 && self.one_in(3) {
                step += self.below(4) as isize * step.min(7);
            }
            if shape[axis] == 1 && self.one_in(2) {
                strides[axis] = self.below(23) as isize - 7;
            }
            if kind > 0 && self.one_in(4) {
                strides[axis] = -strides[axis];
            }
            if strides[axis] < 0 {
                offset -= (extent - 1) * strides[axis];
            }
        }
        ArrayLayout::from_parts(shape, &strides, offset as usize + self.below(3))
            .expect("the offset is large enough")
    }
}

/// All coordinates of a shape, the last axis fastest.
pub fn coordinates(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![Vec::new()], |found, &extent| {
        found.iter().flat_map(|c| (0..extent).map(|i| [&c[..], &[i]].concat())).collect()
    })
}

/// How often a test draws: a number of the environment, or what takes a second.
pub fn draws(usual: usize) -> usize {
    std::env::var("DRAWS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// The strides of `shape` with which these offsets come in their order, by enumeration; 0 where an
/// axis does not move.
pub fn strides_by_enumeration(shape: &[usize], offsets: &[usize]) -> Option<Vec<isize>> {
    let (mut strides, mut number) = (vec![0; shape.len()], 1);
    for (stride, &extent) in strides.iter_mut().zip(shape).rev() {
        if extent > 1 {
            *stride = offsets[number] as isize - offsets[0] as isize;
        }
        number *= extent;
    }
    let offset =
        |c: &Vec<usize>| -> isize { c.iter().zip(&strides).map(|(&c, d)| c as isize * d).sum() };
    let fits = coordinates(shape)
        .iter()
        .zip(offsets)
        .all(|(c, &o)| offset(c) == o as isize - offsets[0] as isize);
    fits.then_some(strides)
}
