//! The loops over runs, compiled for the instructions of each processor.

use half::f16;
use pulp::Arch;

use super::Number;
use super::number::{TWICE_E2M1, f16_to_f32, f32_to_f16};
use super::plan::{Bits, Codes, Fast, PARTS, RUNS, Scalar};

/// What numbers are written as: `f32` or [`f16`], the nearest one.
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
    macro_rules! by_run {
        ($kind:expr) => {
            match fast.run {
                32 => Arch::new().dispatch(|| blocks::<32, T>(fast, bytes, numbers, $kind)),
                16 => Arch::new().dispatch(|| blocks::<16, T>(fast, bytes, numbers, $kind)),
                _ => Arch::new().dispatch(|| blocks::<8, T>(fast, bytes, numbers, $kind)),
            }
        };
    }
    match fast.codes {
        Codes::Bytes => by_run!(OneByte(&fast.parts[0], fast.flip)),
        Codes::TwoBytes => by_run!(TwoBytes(&fast.parts[0], &fast.parts[1], fast.flip)),
        Codes::ByteAndWord(apart) => by_run!(ByteAndWord(&fast.parts[0], &fast.parts[1], apart, fast.flip)),
        Codes::Word(apart) => by_run!(OneWord(&fast.parts[0], apart, fast.flip)),
        Codes::Table(table) if *table == TWICE_E2M1 => by_run!(Floats(&fast.parts[0])),
        Codes::Table(table) => by_run!(Places(&fast.parts[0], table.map(f32::from))),
    }
}

/// The codes of run `r` as floats.
trait Load {
    fn load<const R: usize>(&self, bytes: &[u8], at: &[usize; PARTS], r: usize) -> [f32; R];
}

/// Where run `r` has its first byte of this part, and the shift of its bits.
#[inline(always)]
fn place(bits: &Bits, at: &[usize; PARTS], r: usize) -> (usize, u32) {
    let place = bits.places[if bits.places.len() == 1 { 0 } else { r }];
    (at[bits.part] + place.byte as usize, place.shift)
}
#[inline(always)]
fn side_by_side<const R: usize>(bytes: &[u8], at: usize) -> &[u8; R] {
    bytes[at..].first_chunk().expect("runs end within the block")
}
#[inline(always)]
fn word(bits: &Bits, bytes: &[u8], at: usize) -> u32 {
    let part = &bytes[at..];
    match bits.bytes {
        1 => u32::from(part[0]),
        2 => u32::from(u16::from_le_bytes(*part.first_chunk().expect("two bytes"))),
        _ => u32::from_le_bytes(*part.first_chunk().expect("four bytes")),
    }
}

struct OneByte<'a>(&'a Bits, u32);
impl Load for OneByte<'_> {
    #[inline(always)]
    fn load<const R: usize>(&self, bytes: &[u8], at: &[usize; PARTS], r: usize) -> [f32; R] {
        let ((from, shift), mask) = (place(self.0, at, r), self.0.mask);
        let low = side_by_side::<R>(bytes, from);
        std::array::from_fn(|j| (((u32::from(low[j]) >> shift) & mask) ^ self.1) as i32 as f32)
    }
}
struct TwoBytes<'a>(&'a Bits, &'a Bits, u32);
impl Load for TwoBytes<'_> {
    #[inline(always)]
    fn load<const R: usize>(&self, bytes: &[u8], at: &[usize; PARTS], r: usize) -> [f32; R] {
        let (a, b) = (self.0, self.1);
        let ((from, shift), (above, up_shift)) = (place(a, at, r), place(b, at, r));
        let (low, high) = (side_by_side::<R>(bytes, from), side_by_side::<R>(bytes, above));
        std::array::from_fn(|j| {
            let low = (u32::from(low[j]) >> shift) & a.mask;
            let high = ((u32::from(high[j]) >> up_shift) & b.mask) << b.up;
            ((low | high) ^ self.2) as i32 as f32
        })
    }
}
struct ByteAndWord<'a>(&'a Bits, &'a Bits, u32, u32);
impl Load for ByteAndWord<'_> {
    #[inline(always)]
    fn load<const R: usize>(&self, bytes: &[u8], at: &[usize; PARTS], r: usize) -> [f32; R] {
        let (a, b) = (self.0, self.1);
        let ((from, shift), (above, up_shift)) = (place(a, at, r), place(b, at, r));
        let (low, high) = (side_by_side::<R>(bytes, from), word(b, bytes, above) >> up_shift);
        std::array::from_fn(|j| {
            let low = (u32::from(low[j]) >> shift) & a.mask;
            let high = ((high >> (j as u32 * self.2)) & b.mask) << b.up;
            ((low | high) ^ self.3) as i32 as f32
        })
    }
}
struct OneWord<'a>(&'a Bits, u32, u32);
impl Load for OneWord<'_> {
    #[inline(always)]
    fn load<const R: usize>(&self, bytes: &[u8], at: &[usize; PARTS], r: usize) -> [f32; R] {
        let (from, shift) = place(self.0, at, r);
        let word = word(self.0, bytes, from) >> shift;
        std::array::from_fn(|j| (((word >> (j as u32 * self.1)) & self.0.mask) ^ self.2) as i32 as f32)
    }
}
struct Places<'a>(&'a Bits, [f32; 16]);
impl Load for Places<'_> {
    #[inline(always)]
    fn load<const R: usize>(&self, bytes: &[u8], at: &[usize; PARTS], r: usize) -> [f32; R] {
        let (from, shift) = place(self.0, at, r);
        let low = side_by_side::<R>(bytes, from);
        std::array::from_fn(|j| self.1[(low[j] >> shift & 15) as usize])
    }
}
/// Twice an E2m1 by arithmetic: from 2 on, its bits are those of a float of 32 bits.
struct Floats<'a>(&'a Bits);
impl Load for Floats<'_> {
    #[inline(always)]
    fn load<const R: usize>(&self, bytes: &[u8], at: &[usize; PARTS], r: usize) -> [f32; R] {
        let (from, shift) = place(self.0, at, r);
        let low = side_by_side::<R>(bytes, from);
        std::array::from_fn(|j| {
            let code = u32::from(low[j]) >> shift;
            let size = code & 7;
            let float = f32::from_bits((size << 22) + (127 << 23));
            let size = if size < 2 { size as i32 as f32 } else { float };
            if code & 8 == 0 { size } else { 0.0 - size }
        })
    }
}

#[inline(always)]
fn blocks<const R: usize, T: Output>(fast: &Fast, bytes: &[u8], mut numbers: &mut [T], codes: impl Load) {
    let mut scale = [1.0; RUNS];
    let mut zero = [fast.minus; RUNS];
    let mut rest = [0.0; RUNS];
    let each = fast.run * fast.runs;
    for block in bytes.chunks_exact(fast.block_bytes) {
        let mut at = [0; PARTS];
        let mut step = |at: &[usize; PARTS]| {
            product(fast.runs, &fast.scale, block, at, &mut scale);
            if let Some(field) = &fast.zero {
                let field = std::slice::from_ref(field);
                product(fast.runs, field, block, at, &mut zero);
                zero.iter_mut().for_each(|zero| *zero += fast.minus);
            }
            if let Some((plus, fields)) = &fast.rest {
                product(fast.runs, fields, block, at, &mut rest);
                if *plus {
                    rest.iter_mut().for_each(|rest| *rest = -*rest);
                }
            }
            let (now, later) = std::mem::take(&mut numbers).split_at_mut(each);
            numbers = later;
            for (r, numbers) in now.chunks_exact_mut(R).enumerate() {
                let codes = codes.load::<R>(block, at, r);
                let (scale, zero, rest) = (scale[r], zero[r], rest[r]);
                for (x, code) in numbers.iter_mut().zip(codes) {
                    *x = T::of(scale * (code - zero) - rest);
                }
            }
        };
        if fast.outer.extents.is_empty() {
            step(&at);
        } else {
            around(fast, fast.outer.extents.len(), &mut at, &mut step);
        }
    }
}

/// The loops around listed runs.
fn around(fast: &Fast, end: usize, at: &mut [usize; PARTS], step: &mut impl FnMut(&[usize; PARTS])) {
    let Some(last) = end.checked_sub(1) else { return step(at) };
    let strides = fast.outer.strides.iter().map(|strides| strides[last]);
    for _ in 0..fast.outer.extents[last] {
        around(fast, last, at, step);
        at.iter_mut().zip(strides.clone()).for_each(|(at, stride)| *at += stride);
    }
    at.iter_mut().zip(strides).for_each(|(at, stride)| *at -= stride * fast.outer.extents[last]);
}

/// For each run the product of these fields, from left to right.
#[inline(always)]
fn product(runs: usize, fields: &[Scalar], block: &[u8], at: &[usize; PARTS], product: &mut [f32; RUNS]) {
    for (k, field) in fields.iter().enumerate() {
        let mut numbers = [0.0; RUNS];
        let count = field.parts.iter().map(|part| part.places.len()).max().unwrap_or(1);
        let numbers = &mut numbers[..count];
        match field.number {
            Number::F16 => decode(field, block, at, numbers, |bits| f16_to_f32(bits as u16)),
            Number::Unsigned { minus } => decode(field, block, at, numbers, |bits| (bits as i32 - minus) as f32),
            number => decode(field, block, at, numbers, |bits| number.decode(bits, field.width)),
        }
        let product = &mut product[..runs];
        match (count, k) {
            (1, 0) => product.fill(numbers[0]),
            (1, _) => product.iter_mut().for_each(|product| *product *= numbers[0]),
            (_, 0) => product.copy_from_slice(numbers),
            _ => product.iter_mut().zip(numbers).for_each(|(product, number)| *product *= *number),
        }
    }
}

#[inline(always)]
fn decode(field: &Scalar, block: &[u8], at: &[usize; PARTS], numbers: &mut [f32], f: impl Fn(u32) -> f32) {
    let mut codes = [0; RUNS];
    for part in &field.parts {
        let first = at[part.part];
        let bits = |place: &super::plan::Place| {
            ((word(part, block, first + place.byte as usize) >> place.shift) & part.mask) << part.up
        };
        match &part.places[..] {
            [one] => codes.iter_mut().take(numbers.len()).for_each(|code| *code |= bits(one)),
            all => codes.iter_mut().zip(all).for_each(|(code, place)| *code |= bits(place)),
        }
    }
    numbers.iter_mut().zip(codes).for_each(|(number, code)| *number = f(code));
}
