//! The loops over runs, compiled for each instruction set.

#![allow(clippy::needless_range_loop, reason = "numbers of one place, in arrays of one length")]

use half::f16;
use pulp::NullaryFnOnce;
#[cfg(target_arch = "aarch64")]
use pulp::aarch64::Neon;
use pulp::bytemuck::{Pod, cast_mut, try_cast_mut};

use super::number::{Number, f32_to_f16};
use super::plan::{AROUND, Arrangement, Fast, Kind, PARTS, RUNS, Scalar};
#[cfg(target_arch = "x86_64")]
use super::simd::{Avx2, Avx512};
use super::simd::{LANES, Portable, Simd, fetch};

/// The type of decoded numbers: `f32` or [`f16`](struct@f16), rounded to nearest.
///
/// ```
/// use layout_bits::Output;
/// fn size<T: Output>(numbers: &[T]) -> usize {
///     size_of_val(numbers)
/// }
/// assert_eq!((size(&[0.0_f32; 3]), size(&[half::f16::ZERO; 3])), (12, 6));
/// ```
pub trait Output: sealed::Sealed {}
impl Output for f32 {}
impl Output for f16 {}
pub(super) mod sealed {
    use super::*;

    pub trait Sealed: Pod {
        const OF: fn(f32) -> Self;
    }
    impl Sealed for f32 {
        const OF: fn(f32) -> f32 = |x| x;
    }
    impl Sealed for f16 {
        const OF: fn(f32) -> f16 = f32_to_f16;
    }
}

/// The byte at which each part of the format begins, for each step of the outer loops.
type Places = [[usize; STEPS]; PARTS];
/// The steps whose scales are decoded together.
const STEPS: usize = LANES;
/// A number for each run of each step.
type Numbers = [f32; RUNS * STEPS];

/// Decodes all blocks.
pub(super) fn run<T: Output>(fast: &Fast, bytes: &[u8], numbers: &mut [T]) {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = Avx512::try_new() {
        return blocks(simd, fast, bytes, numbers);
    } else if let Some(simd) = Avx2::try_new() {
        return blocks(simd, fast, bytes, numbers);
    }
    #[cfg(target_arch = "aarch64")]
    if let Some(simd) = Neon::try_new() {
        return blocks(simd, fast, bytes, numbers);
    }
    blocks(Portable, fast, bytes, numbers)
}

/// The bytes that may be read from the beginning of a small block: any byte of the block and the 15
/// bytes after it.
const WINDOW: usize = 256 + 16;
fn blocks<S: Simd, T: Output>(simd: S, fast: &Fast, bytes: &[u8], numbers: &mut [T]) {
    if !fast.small {
        return steps(simd, fast, bytes, numbers);
    }
    // The last blocks are copied to a padded buffer.
    let (block, elements) = (fast.block_bytes, fast.runs * LANES);
    let first = (bytes.len() + block).saturating_sub(WINDOW) / block;
    let (mut last, rest) = ([0; 2 * WINDOW], &bytes[first * block..]);
    last[..rest.len()].copy_from_slice(rest);
    let (numbers, of_last) = numbers.split_at_mut(first * elements);
    steps(simd, fast, bytes, numbers);
    steps(simd, fast, &last, of_last);
}

/// A result of this many bytes or more does not fit in the caches.
const LARGE: usize = 24 << 20;
/// Prefetch distances in bytes, for the lines of a large result and for those of its blocks.
const AHEAD: [usize; 2] = [8192, 4096];

fn steps<S: Simd, T: Output>(simd: S, fast: &Fast, bytes: &[u8], numbers: &mut [T]) {
    let (runs, large) = (fast.runs, size_of_val(numbers) >= LARGE);
    let (mut at, mut count, mut places) = ([0; PARTS], [0; AROUND], [[0; STEPS]; PARTS]);
    let [mut scale, mut zero, mut rest] =
        [[1.0; RUNS * STEPS], [0.0; RUNS * STEPS], [0.0; RUNS * STEPS]];
    // The prefetched lines arrive while the scales of the next batch are decoded.
    let batch = if large { AHEAD[0] } else { usize::MAX };
    let together = (batch / (runs * size_of::<[T; LANES]>())).clamp(1, STEPS);
    let (mut numbers, _) = numbers.as_chunks_mut();
    while !numbers.is_empty() {
        let steps = together.min(numbers.len() / runs);
        let now = numbers.split_off_mut(..steps * runs).unwrap_or_default();
        if fast.outer.extents.is_empty() {
            places[0][..steps]
                .iter_mut()
                .enumerate()
                .for_each(|(s, place)| *place = at[0] + s * fast.block_bytes);
            at[0] += steps * fast.block_bytes;
        } else {
            for s in 0..steps {
                places.iter_mut().zip(at).for_each(|(places, at)| places[s] = at);
                next(fast, &mut at, &mut count);
            }
        }
        let places = &places;
        let product = |fields, first, product| {
            simd.vectorize(Product { simd, fields, bytes, places, steps, first, product })
        };
        if !fast.one {
            product(&fast.scale, 1.0, &mut scale);
            if let Some(field) = &fast.zero {
                product(std::slice::from_ref(field), 1.0, &mut zero);
            }
            if let Some((plus, fields)) = &fast.rest {
                product(fields, if *plus { -1.0 } else { 1.0 }, &mut rest);
            }
        }
        let by = [&scale, &zero, &rest];
        macro_rules! runs {
            ($kind:expr, $one:literal, $rest:literal) => {{
                let numbers = &mut *now;
                simd.vectorize(Runs::<_, _, { $kind }, $one, $rest> {
                    simd,
                    fast,
                    bytes,
                    places,
                    by,
                    large,
                    numbers,
                })
            }};
            ($kind:expr) => {
                match (fast.one, fast.rest.is_some()) {
                    (true, true) => runs!($kind, true, true),
                    (true, false) => runs!($kind, true, false),
                    (false, true) => runs!($kind, false, true),
                    (false, false) => runs!($kind, false, false),
                }
            };
        }
        match (fast.kind, fast.codes.len()) {
            (Kind::Table(_), 1) if fast.beside => runs!(TABLE),
            (Kind::Table(_), _) if fast.beside => runs!(TABLE | TWO),
            (_, 1) if fast.beside => runs!(BYTE),
            (_, _) if fast.beside => runs!(BYTE | TWO),
            _ => runs!(ANY),
        }
    }
}

// The functions below are compiled into each instance of `call`, for its instruction set. They are
// all inlined, and use loops instead of iterators: a closure that is not inlined would be compiled
// for the baseline instruction set.

#[inline(always)]
fn side_by_side<const N: usize>(bytes: &[u8], at: usize) -> &[u8; N] {
    bytes[at..at + N].try_into().expect("as many bytes")
}
#[inline(always)]
fn word(bytes: &[u8], at: usize, count: usize) -> u32 {
    match count {
        1 => u32::from(bytes[at]),
        2 => u32::from(u16::from_le_bytes(*side_by_side(bytes, at))),
        3 => {
            let [a, b, c] = *side_by_side(bytes, at);
            u32::from_le_bytes([a, b, c, 0])
        }
        _ => u32::from_le_bytes(*side_by_side(bytes, at)),
    }
}

/// Decodes all runs of some steps. `KIND` says how the codes are stored: `TABLE` and `BYTE` in
/// adjacent bytes, as indices of a table or as integers, in one part or `TWO`; `ANY` in any
/// arrangement.
struct Runs<'a, S, T, const KIND: u8, const ONE: bool, const REST: bool> {
    simd: S,
    fast: &'a Fast,
    bytes: &'a [u8],
    places: &'a Places,
    /// Scale, zero, and the number to subtract.
    by: [&'a Numbers; 3],
    large: bool,
    numbers: &'a mut [[T; LANES]],
}
const ANY: u8 = 0;
const TABLE: u8 = 1;
const BYTE: u8 = 2;
const TWO: u8 = 4;

impl<S: Simd, T: Pod, const KIND: u8, const ONE: bool, const REST: bool> NullaryFnOnce
    for Runs<'_, S, T, KIND, ONE, REST>
{
    type Output = ();
    #[inline(always)]
    fn call(self) {
        let Runs { simd, fast, bytes, places, by, large, numbers } = self;
        let (low, high) = (&fast.codes[0], &fast.codes[fast.codes.len() - 1]);
        let (table, minus) = match fast.kind {
            Kind::Table(table) => (table, 0),
            Kind::Byte(minus) => ([0; LANES], minus),
            Kind::Integer { .. } => ([0; LANES], 0),
        };
        // All bytes of a small block are read from a window of at most 256 bytes, so that their
        // positions have 8 bits and need no bounds checks.
        let of = |field: &Scalar| (field.number, field.parts[0].byte[0] as u8 as usize);
        let [(kind, at), (rest_kind, rest_at)] = match &fast.rest {
            Some((_, rest)) if ONE => [of(&fast.scale[0]), of(&rest[0])],
            _ if ONE => [of(&fast.scale[0]); 2],
            _ => [(Number::F16, 0); 2],
        };
        let sign = if matches!(fast.rest, Some((true, _))) { -1.0 } else { 1.0 };
        let (table, mut halves) = (simd.load([&table; 2]), simd.table_of_halves(simd.splat(0.0)));
        let (mask, high_mask, up, pairs) = (low.mask, high.mask, high.up, fast.pairs);
        let [scales, zeros, rests] = by.map(|numbers| numbers.as_chunks::<RUNS>().0);
        for (s, (numbers, place)) in numbers.chunks_exact_mut(fast.runs).zip(&places[0]).enumerate()
        {
            let block = if ONE || KIND != ANY { &bytes[*place..][..WINDOW] } else { bytes };
            let one = if ONE { whole(simd, kind, block, at) } else { 0.0 };
            let one_rest =
                if ONE && REST { sign * whole(simd, rest_kind, block, rest_at) } else { 0.0 };
            macro_rules! scaled {
                ($x:expr, $r:expr) => {{
                    let mut x = simd.floats($x);
                    if KIND == ANY && fast.zero.is_some() {
                        x = simd.minus(x, simd.splat(zeros[s][$r]));
                    }
                    x = simd.times(simd.splat(if ONE { one } else { scales[s][$r] }), x);
                    if REST {
                        simd.minus(x, simd.splat(if ONE { one_rest } else { rests[s][$r] }))
                    } else {
                        x
                    }
                }};
            }
            if KIND == ANY {
                for (r, to) in numbers.iter_mut().enumerate().take(RUNS) {
                    store(simd, scaled!(any(simd, fast, (bytes, places), [s, r]), r), to);
                }
                continue;
            }
            let ats = low.pairs.iter().zip(&high.pairs);
            for (p, (to, (at, high_at))) in
                numbers.as_chunks_mut::<2>().0.iter_mut().zip(ats).enumerate()
            {
                if large {
                    fetch(&to[0], AHEAD[0]);
                    fetch(&to[1], AHEAD[0]);
                    fetch(&block[0], AHEAD[1] + 32 * p);
                }
                let mut raw = in_bytes(simd, block, at, mask);
                if KIND & TWO != 0 {
                    raw = simd.join(raw, in_bytes(simd, block, high_at, high_mask), up);
                }
                // One table of 16 halves has all numbers of two runs with the same scale.
                if KIND & TABLE != 0
                    && (ONE || pairs)
                    && let Ok(to) = try_cast_mut(to)
                {
                    if p == 0 || !ONE {
                        halves = simd.table_of_halves(scaled!(simd.signed(table)[0], 2 * p));
                    }
                    *to = simd.look_halves(halves, raw);
                    continue;
                }
                let code = if KIND & TABLE != 0 {
                    simd.signed(simd.look(table, raw))
                } else {
                    simd.less(raw, minus)
                };
                store(simd, scaled!(code[0], 2 * p), &mut to[0]);
                store(simd, scaled!(code[1], 2 * p + 1), &mut to[1]);
            }
        }
    }
}

/// Stores floats in the output type.
#[inline(always)]
fn store<S: Simd, T: Pod>(simd: S, x: S::Floats, to: &mut [T; LANES]) {
    match try_cast_mut(to) {
        Ok(to) => simd.store_halves(x, to),
        Err(_) => simd.store(x, cast_mut(to)),
    }
}

/// A scale that consists of whole bytes.
#[inline(always)]
fn whole<S: Simd>(simd: S, number: Number, bytes: &[u8], at: usize) -> f32 {
    match number {
        Number::F16 => simd.half(word(bytes, at, 2) as u16),
        _ => Number::HalfE8m0.decode(word(bytes, at, 1), 8),
    }
}

/// The codes of two runs.
#[inline(always)]
fn in_bytes<S: Simd>(
    simd: S,
    bytes: &[u8],
    (at, shifts): &([u32; 2], [u32; 8]),
    mask: u8,
) -> S::Bytes {
    let both =
        [side_by_side(bytes, at[0] as u8 as usize), side_by_side(bytes, at[1] as u8 as usize)];
    simd.select(simd.load(both), shifts, mask)
}

/// The codes of a run in any arrangement.
#[inline(always)]
fn any<S: Simd>(
    simd: S,
    fast: &Fast,
    (bytes, places): (&[u8], &Places),
    [s, r]: [usize; 2],
) -> S::Ints {
    let mut sum = simd.ints(&[0; LANES]);
    let mut small = simd.load([&[0; LANES]; 2]);
    for codes in &fast.codes {
        let first = places[codes.part % PARTS][s % STEPS];
        let halves = codes.places[r % RUNS];
        let bits = match codes.arrangement {
            Arrangement::Words(apart, count) => {
                let word =
                    |(byte, shift)| word(bytes, first + byte as usize, count) >> (shift & 31);
                simd.spread([word(halves[0]), word(halves[1])], apart)
            }
            arrangement => {
                let half = |(byte, shift)| {
                    u64::from_le_bytes(*side_by_side(bytes, first + byte as usize)) >> (shift & 63)
                };
                let both = u128::from(half(halves[1])) << 64 | u128::from(half(halves[0]));
                let bits = match arrangement {
                    Arrangement::Bytes => {
                        let bytes = side_by_side(bytes, first + halves[0].0 as usize);
                        simd.select(simd.load([bytes; 2]), &[halves[0].1; 8], codes.mask)
                    }
                    _ => simd.select(simd.load([&both.to_le_bytes(); 2]), &[0; 8], codes.mask),
                };
                small = simd.join(small, bits, codes.up);
                simd.signed(bits)[0]
            }
        };
        sum = simd.add_bits(sum, bits, &[0; LANES], u32::from(codes.mask), codes.up);
    }
    match fast.kind {
        Kind::Byte(minus) => simd.less(small, minus)[0],
        Kind::Table(table) => simd.signed(simd.look(simd.load([&table; 2]), small))[0],
        Kind::Integer { flip, minus } => simd.less_ints(sum, flip, minus),
    }
}

/// The next coordinate of the outer loops; after the last one, the next block.
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

/// The product of these fields for each run of all steps, from left to right.
struct Product<'a, S> {
    simd: S,
    fields: &'a [Scalar],
    bytes: &'a [u8],
    places: &'a Places,
    steps: usize,
    /// The first factor of the product.
    first: f32,
    product: &'a mut Numbers,
}
impl<S: Simd> NullaryFnOnce for Product<'_, S> {
    type Output = ();
    #[inline(always)]
    fn call(self) {
        let Product { simd, fields, bytes, places, steps, first, product } = self;
        let (steps, (products, _)) = (steps.min(STEPS), product.as_chunks_mut::<RUNS>());
        for (k, field) in fields.iter().enumerate() {
            macro_rules! factor {
                ($s:expr, $number:expr) => {{
                    let product = &mut products[$s];
                    let before = if k == 0 { simd.splat(first) } else { simd.load_floats(product) };
                    simd.store(simd.times(before, $number), product);
                }};
            }
            if field.whole {
                let (places, at) =
                    (&places[field.parts[0].part % PARTS], field.parts[0].byte[0] as usize);
                for s in 0..steps {
                    factor!(s, simd.splat(whole(simd, field.number, bytes, places[s] + at)));
                }
                continue;
            }
            let mut codes = [simd.ints(&[0; LANES]); STEPS];
            for part in &field.parts {
                let places = &places[part.part % PARTS];
                for s in 0..steps {
                    let raw = match &part.window {
                        // The sign extension above bit 7 is masked off below.
                        Some((window, table)) => {
                            let bytes = side_by_side(bytes, places[s] + window);
                            simd.signed(simd.look(simd.load([bytes; 2]), simd.load([table; 2])))[0]
                        }
                        None => {
                            let mut raw =
                                [word(bytes, places[s] + part.byte[0] as usize, part.bytes); RUNS];
                            for r in if field.same { 0..0 } else { 1..RUNS } {
                                raw[r] = word(bytes, places[s] + part.byte[r] as usize, part.bytes);
                            }
                            simd.ints(&raw)
                        }
                    };
                    codes[s] = simd.add_bits(codes[s], raw, &part.shifts, part.mask, part.up);
                }
            }
            for s in 0..steps {
                factor!(s, decode(simd, field, codes[s]));
            }
        }
    }
}

/// Decodes the codes of a field.
#[inline(always)]
fn decode<S: Simd>(simd: S, field: &Scalar, codes: S::Ints) -> S::Floats {
    let (mut bits, mut numbers, width) = ([0; LANES], [0.0; LANES], field.width);
    match field.number {
        Number::F16 => return simd.of_halves(codes),
        Number::Unsigned { minus } => return simd.floats(simd.less_ints(codes, 0, minus as u32)),
        Number::Signed => {
            return simd.floats(simd.less_ints(codes, 1 << (width - 1), 1 << (width - 1)));
        }
        _ => simd.store_ints(codes, &mut bits),
    }
    for n in 0..LANES {
        numbers[n] = field.number.decode(bits[n], width);
    }
    simd.load_floats(&numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, formats};

    /// Numbers as bits; all NaNs are equal.
    fn bits(numbers: &[f32]) -> Vec<u32> {
        numbers.iter().map(|x| if x.is_nan() { u32::MAX } else { x.to_bits() }).collect()
    }

    fn check<S: Simd>(simd: S, format: &Format, bytes: &[u8], numbers: &[f32]) {
        let (mut ours, mut our_halves) = (vec![0.0; numbers.len()], vec![f16::ZERO; numbers.len()]);
        let fast = format.plan.fast().unwrap_or_else(|| panic!("{format} has runs"));
        blocks(simd, fast, bytes, &mut ours);
        blocks(simd, fast, bytes, &mut our_halves);
        assert_eq!(bits(&ours), bits(numbers), "{format}");
        let theirs: Vec<_> = numbers.iter().map(|&x| f16::from_f32(x).into()).collect();
        assert_eq!(
            bits(&our_halves.into_iter().map(f32::from).collect::<Vec<_>>()),
            bits(&theirs),
            "{format}"
        );
    }

    /// The loops of each instruction set equal `Format::get` of each element.
    #[test]
    fn all_loops_are_alike() {
        let mut seed = 1_u64;
        let mut byte = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 56) as u8
        };
        use formats::*;
        let mut all = vec![
            q4_0(),
            q4_1(),
            q5_0(),
            q5_1(),
            q8_0(),
            q2_k(),
            q3_k(),
            q4_k(),
            q5_k(),
            q6_k(),
            iq4_nl(),
        ];
        all.extend([
            mxfp4(),
            nvfp4(),
            gptq(96, 24, 32).unwrap(),
            compressed_tensors(96, 5, 32).unwrap(),
        ]);
        for format in all {
            for blocks_of in [1, 2, 3, 40] {
                let bytes: Vec<u8> = (0..format.bytes() * blocks_of).map(|_| byte()).collect();
                let numbers: Vec<_> = (0..format.elements() * blocks_of)
                    .map(|i| format.get(&bytes, i).unwrap())
                    .collect();
                check(Portable, &format, &bytes, &numbers);
                #[cfg(target_arch = "aarch64")]
                check(Neon::try_new().expect("each has NEON"), &format, &bytes, &numbers);
                #[cfg(target_arch = "x86_64")]
                {
                    Avx2::try_new()
                        .into_iter()
                        .for_each(|simd| check(simd, &format, &bytes, &numbers));
                    Avx512::try_new()
                        .into_iter()
                        .for_each(|simd| check(simd, &format, &bytes, &numbers));
                }
            }
        }
    }
}
