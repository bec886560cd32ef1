//! The loops over runs, compiled for the instructions of each processor.
#![allow(clippy::needless_range_loop, reason = "a code and a number of one place, in arrays of one length")]

use half::f16;
use pulp::{Arch, NullaryFnOnce};

use super::Number;
use super::number::{f16_to_f32, f32_to_f16};
use super::plan::{AROUND, Bits, Codes, Fast, PARTS, RUNS, Scalar, TOGETHER};

/// What numbers are written as: `f32` or [`f16`](struct@f16), the nearest one.
///
/// ```
/// use layout_bits::Output;
/// fn size<T: Output>(numbers: &[T]) -> usize {
///     size_of_val(numbers)
/// }
/// assert_eq!((size(&[0.0_f32; 3]), size(&[half::f16::ZERO; 3])), (12, 6));
/// ```
pub trait Output: Copy + sealed::Sealed {
    #[doc(hidden)]
    fn of(x: f32) -> Self;
}
mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for half::f16 {}
}
impl Output for f32 {
    #[inline(always)]
    fn of(x: f32) -> f32 {
        x
    }
}
impl Output for f16 {
    #[inline(always)]
    fn of(x: f32) -> f16 {
        f32_to_f16(x)
    }
}

/// The numbers of all blocks.
pub(super) fn run<T: Output>(fast: &Fast, bytes: &[u8], numbers: &mut [T]) {
    macro_rules! in_runs {
        ($run:literal, $codes:expr) => {
            Arch::new().dispatch(Blocks::<$run, T, _> { fast, bytes, numbers, codes: $codes })
        };
    }
    let (low, high, flip) = (&fast.parts[0], fast.parts.last().expect("codes have bits"), fast.flip);
    // The lengths of runs are those of `Codes::runs`.
    match (fast.codes, fast.run) {
        (Codes::Bytes, 32) => in_runs!(32, OneByte { low, flip }),
        (Codes::Bytes, _) => in_runs!(16, OneByte { low, flip }),
        (Codes::TwoBytes, _) => in_runs!(16, TwoBytes { low, high, flip }),
        (Codes::ByteAndWord(apart), _) => in_runs!(16, ByteAndWord { low, high, apart, flip }),
        (Codes::Word(apart), _) => in_runs!(8, OneWord { low, apart, flip }),
        (Codes::Floats, 16) => in_runs!(16, Floats { low }),
        (Codes::Floats, _) => in_runs!(8, Floats { low }),
        (Codes::Table(table), _) => in_runs!(16, Places { low, table: table.map(f32::from) }),
    }
}

// What follows is compiled into each instance of `blocks`, for the instructions that it is dispatched to: all of it is
// inlined, and loops are loops, for closures that the compiler does not inline would be compiled for any processor.

/// What the codes of a run are multiplied with, and what is taken off before and after.
#[derive(Clone, Copy)]
struct Affine {
    scale: f32,
    zero: f32,
    rest: f32,
}
impl Affine {
    #[inline(always)]
    fn of<T: Output>(self, code: f32) -> T {
        T::of(self.scale * (code - self.zero) - self.rest)
    }
}

/// Where each part of the format begins at every step of the loops around runs. By part, so that what is read has been
/// written by the same instruction.
type Steps = [[usize; TOGETHER]; PARTS];

/// The numbers of run `r`.
trait Run {
    fn run<const R: usize, T: Output>(&self, bytes: &[u8], steps: &Steps, at: [usize; 2], by: Affine, to: &mut [T; R]);
}

/// Where run `r` has its first byte of this part, and the shift of its bits.
#[inline(always)]
fn place(bits: &Bits, steps: &Steps, s: usize, r: usize) -> (usize, u32) {
    (steps[bits.part % PARTS][s % TOGETHER] + bits.byte[r % RUNS] as usize, bits.shifts[r % RUNS])
}
#[inline(always)]
fn side_by_side<const R: usize>(bytes: &[u8], at: usize) -> &[u8; R] {
    bytes[at..].first_chunk().expect("runs end within the block")
}
#[inline(always)]
fn word(bytes: &[u8], at: usize, count: usize) -> u32 {
    match count {
        1 => u32::from(bytes[at]),
        2 => u32::from(u16::from_le_bytes(*bytes[at..].first_chunk().expect("two bytes"))),
        _ => u32::from_le_bytes(*bytes[at..].first_chunk().expect("four bytes")),
    }
}

struct OneByte<'a> {
    low: &'a Bits,
    flip: u32,
}
impl Run for OneByte<'_> {
    #[inline(always)]
    fn run<const R: usize, T: Output>(
        &self,
        bytes: &[u8],
        steps: &Steps,
        [s, r]: [usize; 2],
        by: Affine,
        to: &mut [T; R],
    ) {
        let (from, shift) = place(self.low, steps, s, r);
        let low = side_by_side::<R>(bytes, from);
        let mask = self.low.mask;
        for j in 0..R {
            let code = (u32::from(low[j]) >> shift) & mask;
            to[j] = by.of((code ^ self.flip) as i32 as f32);
        }
    }
}
struct TwoBytes<'a> {
    low: &'a Bits,
    high: &'a Bits,
    flip: u32,
}
impl Run for TwoBytes<'_> {
    #[inline(always)]
    fn run<const R: usize, T: Output>(
        &self,
        bytes: &[u8],
        steps: &Steps,
        [s, r]: [usize; 2],
        by: Affine,
        to: &mut [T; R],
    ) {
        let (from, shift) = place(self.low, steps, s, r);
        let low = side_by_side::<R>(bytes, from);
        let (above, up_shift) = place(self.high, steps, s, r);
        let high = side_by_side::<R>(bytes, above);
        let (mask, high_mask, up) = (self.low.mask, self.high.mask, self.high.up);
        for j in 0..R {
            let code = (u32::from(low[j]) >> shift) & mask;
            let code = code | ((u32::from(high[j]) >> up_shift) & high_mask) << up;
            to[j] = by.of((code ^ self.flip) as i32 as f32);
        }
    }
}
struct ByteAndWord<'a> {
    low: &'a Bits,
    high: &'a Bits,
    apart: u32,
    flip: u32,
}
impl Run for ByteAndWord<'_> {
    #[inline(always)]
    fn run<const R: usize, T: Output>(
        &self,
        bytes: &[u8],
        steps: &Steps,
        [s, r]: [usize; 2],
        by: Affine,
        to: &mut [T; R],
    ) {
        let (from, shift) = place(self.low, steps, s, r);
        let low = side_by_side::<R>(bytes, from);
        let (above, up_shift) = place(self.high, steps, s, r);
        let high = word(bytes, above, self.high.bytes) >> up_shift;
        let (mask, high_mask, up) = (self.low.mask, self.high.mask, self.high.up);
        for j in 0..R {
            let code = (u32::from(low[j]) >> shift) & mask;
            let code = code | ((high >> (j as u32 * self.apart)) & high_mask) << up;
            to[j] = by.of((code ^ self.flip) as i32 as f32);
        }
    }
}
struct OneWord<'a> {
    low: &'a Bits,
    apart: u32,
    flip: u32,
}
impl Run for OneWord<'_> {
    #[inline(always)]
    fn run<const R: usize, T: Output>(
        &self,
        bytes: &[u8],
        steps: &Steps,
        [s, r]: [usize; 2],
        by: Affine,
        to: &mut [T; R],
    ) {
        let (from, shift) = place(self.low, steps, s, r);
        let codes = word(bytes, from, self.low.bytes) >> shift;
        let mask = self.low.mask;
        for j in 0..R {
            let code = (codes >> (j as u32 * self.apart)) & mask;
            to[j] = by.of((code ^ self.flip) as i32 as f32);
        }
    }
}
struct Places<'a> {
    low: &'a Bits,
    table: [f32; 16],
}
impl Run for Places<'_> {
    #[inline(always)]
    fn run<const R: usize, T: Output>(
        &self,
        bytes: &[u8],
        steps: &Steps,
        [s, r]: [usize; 2],
        by: Affine,
        to: &mut [T; R],
    ) {
        let (from, shift) = place(self.low, steps, s, r);
        let low = side_by_side::<R>(bytes, from);
        for j in 0..R {
            to[j] = by.of(self.table[(low[j] >> shift & 15) as usize]);
        }
    }
}
/// Twice an E2m1 by arithmetic: from 2 on, its bits are those of a float of 32 bits.
struct Floats<'a> {
    low: &'a Bits,
}
impl Run for Floats<'_> {
    #[inline(always)]
    fn run<const R: usize, T: Output>(
        &self,
        bytes: &[u8],
        steps: &Steps,
        [s, r]: [usize; 2],
        by: Affine,
        to: &mut [T; R],
    ) {
        let (from, shift) = place(self.low, steps, s, r);
        let low = side_by_side::<R>(bytes, from);
        for j in 0..R {
            let code = u32::from(low[j]) >> shift;
            let size = code & 7;
            let float = f32::from_bits((size << 22) + (127 << 23));
            let size = if size < 2 { size as i32 as f32 } else { float };
            to[j] = by.of(if code & 8 == 0 { size } else { 0.0 - size });
        }
    }
}

/// All blocks, in runs of `R`.
struct Blocks<'a, const R: usize, T, C> {
    fast: &'a Fast,
    bytes: &'a [u8],
    numbers: &'a mut [T],
    codes: C,
}
impl<const R: usize, T: Output, C: Run> NullaryFnOnce for Blocks<'_, R, T, C> {
    type Output = ();
    #[inline(always)]
    fn call(self) {
        blocks::<R, T>(self.fast, self.bytes, self.numbers, self.codes);
    }
}

#[inline(always)]
fn blocks<const R: usize, T: Output>(fast: &Fast, bytes: &[u8], mut numbers: &mut [T], codes: impl Run) {
    let mut scale = [1.0; TOGETHER];
    let mut zero = [fast.minus; TOGETHER];
    let mut rest = [0.0; TOGETHER];
    let (runs, outer) = (fast.runs.min(RUNS), &fast.outer);
    let (mut at, mut count) = ([0; PARTS], [0; AROUND]);
    let mut steps = [[0; TOGETHER]; PARTS];
    let parts = outer.strides.len().min(PARTS);
    while !numbers.is_empty() {
        let together = (TOGETHER / runs).min(numbers.len() / (R * runs));
        if outer.extents.is_empty() {
            for steps in &mut steps[..parts] {
                steps.iter_mut().enumerate().for_each(|(s, step)| *step = at[0] + s * fast.block_bytes);
            }
            at[0] += together * fast.block_bytes;
        } else {
            for s in 0..together {
                steps.iter_mut().zip(at).for_each(|(steps, at)| steps[s] = at);
                next(fast, &mut at, &mut count);
            }
        }
        product(runs, &fast.scale, bytes, (&steps, together), &mut scale);
        if let Some(field) = &fast.zero {
            product(runs, std::slice::from_ref(field), bytes, (&steps, together), &mut zero);
            zero.iter_mut().for_each(|zero| *zero += fast.minus);
        }
        if let Some((plus, fields)) = &fast.rest {
            product(runs, fields, bytes, (&steps, together), &mut rest);
            if *plus {
                rest.iter_mut().for_each(|rest| *rest = -*rest);
            }
        }
        let (now, later) = std::mem::take(&mut numbers).split_at_mut(R * runs * together);
        numbers = later;
        for (s, now) in now.chunks_exact_mut(R * runs).enumerate() {
            for (r, to) in now.chunks_exact_mut(R).enumerate() {
                let n = (s * runs + r) % TOGETHER;
                let to = to.try_into().expect("a chunk of a run");
                codes.run::<R, T>(bytes, &steps, [s, r], Affine { scale: scale[n], zero: zero[n], rest: rest[n] }, to);
            }
        }
    }
}

/// The next coordinate of the loops around runs, and behind the last one the next block.
fn next(fast: &Fast, at: &mut [usize; PARTS], count: &mut [usize; AROUND]) {
    let outer = &fast.outer;
    for (axis, &extent) in outer.extents.iter().enumerate() {
        count[axis] += 1;
        let done = count[axis] == extent;
        for (at, strides) in at.iter_mut().zip(&outer.strides) {
            *at += strides[axis];
            *at -= if done { strides[axis] * extent } else { 0 };
        }
        if !done {
            return;
        }
        count[axis] = 0;
    }
    at.iter_mut().for_each(|at| *at += fast.block_bytes);
}

/// For each run of all steps the product of these fields, from left to right.
#[inline(always)]
fn product(
    runs: usize,
    fields: &[Scalar],
    bytes: &[u8],
    (steps, together): (&Steps, usize),
    product: &mut [f32; TOGETHER],
) {
    for (k, field) in fields.iter().enumerate() {
        let each = if field.parts.iter().all(|part| part.same) { 1 } else { runs };
        let mut codes = [0; TOGETHER];
        for part in &field.parts {
            let (mut raw, firsts) = ([0; TOGETHER], &steps[part.part % PARTS][..together]);
            let places = &part.byte[..each];
            macro_rules! read {
                ($count:literal) => {
                    for (raw, &first) in raw.chunks_exact_mut(each).zip(firsts) {
                        for (raw, &byte) in raw.iter_mut().zip(places) {
                            *raw = word(bytes, first + byte as usize, $count);
                        }
                    }
                };
            }
            match part.bytes {
                1 => read!(1),
                2 => read!(2),
                _ => read!(4),
            }
            for ((code, raw), shift) in codes.iter_mut().zip(raw).zip(&part.shifts) {
                *code |= ((raw >> (shift & 31)) & part.mask) << (part.up & 31);
            }
        }
        let mut numbers = [0.0; TOGETHER];
        match field.number {
            Number::F16 => (0..TOGETHER).for_each(|n| numbers[n] = f16_to_f32(codes[n] as u16)),
            Number::Unsigned { minus } => (0..TOGETHER).for_each(|n| numbers[n] = (codes[n] as i32 - minus) as f32),
            number => (0..TOGETHER).for_each(|n| numbers[n] = number.decode(codes[n], field.width)),
        }
        if each == runs {
            for (product, number) in product.iter_mut().zip(numbers) {
                *product = if k == 0 { number } else { *product * number };
            }
        } else {
            for (product, number) in product.chunks_exact_mut(runs).zip(numbers) {
                product.iter_mut().for_each(|product| *product = if k == 0 { number } else { *product * number });
            }
        }
    }
}
