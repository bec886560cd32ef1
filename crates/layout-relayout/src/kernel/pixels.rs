//! Neighbouring pixels of few channels, separated into planes, and planes interleaved to pixels.
//!
//! ```text
//! pixels of 16 / E places, C lanes of 16 bytes  <->  a lane of each of C planes
//! a lane = the sum over the 3 lanes of the other side, each shuffled by a table of its own, with zeros
//! 2 or 4 lanes = C x C parts of 16 / C bytes, transposed, each lane shuffled before or afterwards
//! ```

// Loops by an index are unrolled, and arrays of registers stay in registers.
#![allow(clippy::needless_range_loop)]

use super::moves::{Buffer, stream_row};
use super::nest::{Inner, Nest};
use super::registers::Register;
use super::steps::Steps;
use super::tiles::transposed;
use crate::machine::InstructionSet;

/// The bytes to gather in the buffer before they are streamed: a part of the first cache.
const PART: usize = 8 << 10;
/// The most channels of a pixel.
pub(super) const CHANNELS: usize = 4;

/// The kind of a kernel is `PIXELS` plus the number of channels: channels are interleaved to
/// pixels, or, with the bit `APART`, separated.
pub(super) const PIXELS: u8 = 8;
pub(super) const APART: u8 = 16;
const fn channels_of(kind: u8) -> usize {
    // Other kinds have no tables.
    if kind < PIXELS { 0 } else { (kind % PIXELS) as usize }
}

impl Nest {
    /// The channels of a transpose of neighbouring pixels, and whether the pixels are separated
    /// into planes.
    pub(super) fn channels(&self) -> Option<(usize, bool)> {
        let Inner::Transpose { unit, i, j } = self.inner else { return None };
        let shuffles = matches!(
            self.set,
            InstructionSet::Avx2 | InstructionSet::Avx512 | InstructionSet::Neon
        );
        let is_pixel = |channels: usize, step: isize| {
            (2..=CHANNELS).contains(&channels) && step == (channels * unit) as isize
        };
        let is_plain = shuffles && unit <= 4 && self.longer.iter().all(Vec::is_empty);
        match (is_pixel(j.extent, i.from), is_pixel(i.extent, j.to)) {
            (true, _) if is_plain => Some((j.extent, true)),
            (_, true) if is_plain => Some((i.extent, false)),
            _ => None,
        }
    }
}

/// The source of each byte of a lane: for each lane of the result, one table for each source lane.
/// 128 and more stand for a zero.
const fn tables<const E: usize>(channels: usize, apart: bool) -> [[[u8; 64]; CHANNELS]; CHANNELS] {
    let mut tables = [[[128; 64]; CHANNELS]; CHANNELS];
    let mut k = 0;
    while k < channels * 64 {
        let (plane, at) = (k / 64, k % 16);
        // Byte `at` of this plane's lane, and the same byte within the pixels.
        let byte = (at / E * channels + plane) * E + at % E;
        let (lane, place, first) = (byte / 16, byte % 16, k % 64 / 16 * 16);
        if apart {
            tables[plane][lane][first + at] = place as u8;
        } else {
            tables[lane][plane][first + place] = at as u8;
        }
        k += 1;
    }
    tables
}

/// The source of each byte of a lane, if the pixels of a lane are grouped by their 2 or 4 channels,
/// or the groups become pixels.
const fn grouped<const E: usize>(channels: usize, apart: bool) -> [u8; 64] {
    let mut table = [0; 64];
    let mut k = 0;
    while k < 64 && channels > 0 {
        // Byte `at` of the pixels of a lane belongs to element `element` of channel `channel`.
        let (at, first) = (k % 16, k / 16 * 16);
        let (element, channel) = (at / E / channels, at / E % channels);
        let place = channel * 16 / channels + element * E + at % E;
        if apart {
            table[first + place] = at as u8;
        } else {
            table[first + at] = place as u8;
        }
        k += 1;
    }
    table
}

/// # Safety
/// As [`Nest::run`](super::run); `from` and `to` are the places of the first byte, and the nest has
/// these channels.
#[inline(always)]
pub(super) unsafe fn pixels<V: Register, const E: usize, const KIND: u8>(
    nest: &Nest,
    from: *const u8,
    to: *mut u8,
) {
    let (channels, apart) = const { (channels_of(KIND), KIND & APART != 0) };
    let Inner::Transpose { i, j, .. } = nest.inner else { return };
    let (count, plane) = if apart { (i.extent, j.to) } else { (j.extent, i.from) };
    let pixel = channels * E;
    // A part is whole lines of each plane.
    let part = PART / pixel / 64 * 64;
    let mut buffer = nest.stream.then(Buffer::new);
    let mut steps = Steps::new(&nest.outer);
    while let Some((f, t)) = steps.next() {
        // SAFETY: the caller's promise: each step has `count` pixels and `count` elements of each
        // plane. The buffer holds a part of these elements.
        unsafe {
            let (from, to) = (from.offset(f), to.offset(t));
            // Streamed parts begin at lines of the destination.
            let before = to.addr().wrapping_neg() % 64 / E;
            let mut first = 0;
            while first < count {
                let part = match &buffer {
                    None => count,
                    Some(_) if first == 0 && before > 0 && apart => before,
                    Some(_) => part,
                };
                let part = part.min(count - first);
                let (pixels_at, planes_at) = (first * pixel, first * E);
                let (from, to) = match apart {
                    true => ((from.add(pixels_at), 0), (to.add(planes_at), plane)),
                    false => ((from.add(planes_at), plane), (to.add(pixels_at), 0)),
                };
                let into = match &mut buffer {
                    None => to,
                    Some(buffer) => (buffer.begin(), if apart { (part * E) as isize } else { 0 }),
                };
                some::<V, E, KIND>(part, from, into);
                if let Some(buffer) = &mut buffer {
                    let (rows, bytes) = if apart { (channels, E) } else { (1, pixel) };
                    for k in 0..rows {
                        let to = to.0.offset(k as isize * plane);
                        stream_row::<V>(buffer.begin().add(k * part * E), to, part * bytes);
                    }
                }
                first += part;
            }
        }
    }
}

/// Moves `count` pixels; for the planes, the address of the first plane and the step to the next.
///
/// # Safety
/// `count` pixels may be read, `count` may be written, and the instructions of `V` are there.
#[inline(always)]
unsafe fn some<V: Register, const E: usize, const KIND: u8>(
    count: usize,
    (from, from_plane): (*const u8, isize),
    (to, to_plane): (*mut u8, isize),
) {
    let (channels, apart) = const { (channels_of(KIND), KIND & APART != 0) };
    let (many, pixel) = (V::BYTES / E, channels * E);
    // SAFETY: the caller's promise: a register of each plane has `many` pixels.
    unsafe {
        if count >= 2 * many {
            // From the third register on, the stores begin at a line. The last ones overlap those
            // before.
            let step = if apart { E } else { pixel };
            let begins_line = |k: &usize| (to.addr() + k * step).is_multiple_of(64);
            let mut first = (1..2 * many).find(begins_line).unwrap_or(2 * many);
            two::<V, E, KIND>([0, many], (from, from_plane), (to, to_plane));
            while first < count {
                let at = first.min(count - 2 * many);
                two::<V, E, KIND>([at, at + many], (from, from_plane), (to, to_plane));
                first += 2 * many;
            }
            return;
        }
        if count >= many {
            return two::<V, E, KIND>([0, count - many], (from, from_plane), (to, to_plane));
        }
        for p in 0..count {
            for c in 0..channels {
                let (place, plane) = (p * pixel + c * E, c as isize);
                let (from, to) = match apart {
                    true => (from.add(place), to.offset(plane * to_plane).add(p * E)),
                    false => (from.offset(plane * from_plane).add(p * E), to.add(place)),
                };
                to.cast::<[u8; E]>().write(from.cast::<[u8; E]>().read());
            }
        }
    }
}

/// Two registers of each plane: the stores to a line follow one another.
///
/// # Safety
/// As [`some`], of the pixels of a register of each plane from either of `first` on.
#[inline(always)]
unsafe fn two<V: Register, const E: usize, const KIND: u8>(
    first: [usize; 2],
    from: (*const u8, isize),
    (to, to_plane): (*mut u8, isize),
) {
    let (channels, apart) = const { (channels_of(KIND), KIND & APART != 0) };
    // SAFETY: the caller's promise.
    unsafe {
        let mut made = [made::<V, E, KIND>(first[0], from), made::<V, E, KIND>(first[1], from)];
        if apart {
            for k in 0..channels {
                for part in 0..2 {
                    made[part][k].store(to.offset(k as isize * to_plane).add(first[part] * E));
                }
            }
            return;
        }
        // With two lanes, whole registers: both lanes are of neighbouring pixels.
        let are_whole = const { V::LANES == 2 && channels_of(KIND).is_power_of_two() };
        for (made, first) in made.iter_mut().zip(first) {
            let to = to.add(first * channels * E);
            for k in (0..if are_whole { channels } else { 0 }).step_by(2) {
                V::exchange(made, k, 1);
            }
            for (k, made) in made.iter().enumerate().take(channels) {
                if are_whole {
                    made.store(to.add(16 * (k / 2 * 2 + k % 2 * channels)));
                    continue;
                }
                for l in 0..V::LANES {
                    made.store_lane(l, to.add(l * 16 * channels + 16 * k));
                }
            }
        }
    }
}

/// Each lane of the other side, of the pixels of a register of each plane from `first` on.
///
/// # Safety
/// As [`some`], of these pixels.
#[inline(always)]
unsafe fn made<V: Register, const E: usize, const KIND: u8>(
    first: usize,
    (from, from_plane): (*const u8, isize),
) -> [V; 16] {
    let (channels, apart) = const { (channels_of(KIND), KIND & APART != 0) };
    let tables = const { &tables::<E>(channels_of(KIND), KIND & APART != 0) };
    let table = const { &grouped::<E>(channels_of(KIND), KIND & APART != 0) }.as_ptr();
    let (pixels_at, planes_at) = (first * channels * E, first * E);
    // SAFETY: the caller's promise.
    unsafe {
        let mut lanes = [V::load(from.add(if apart { pixels_at } else { planes_at })); 16];
        for (k, lane) in lanes.iter_mut().enumerate().take(channels) {
            *lane = if apart {
                let at = |l: usize| from.add(pixels_at + l % V::LANES * 16 * channels + 16 * k);
                V::load_lanes([at(0), at(1), at(2), at(3)])
            } else {
                V::load(from.offset(k as isize * from_plane).add(planes_at))
            };
        }
        if const { channels_of(KIND).is_power_of_two() } {
            let shuffles = E * channels < 16;
            for lane in lanes.iter_mut().take(if apart && shuffles { channels } else { 0 }) {
                *lane = lane.shuffle(table);
            }
            match channels {
                2 => transposed::<V, 8>(&mut lanes, 2, false),
                _ => transposed::<V, 4>(&mut lanes, 4, false),
            }
            for lane in lanes.iter_mut().take(if apart || !shuffles { 0 } else { channels }) {
                *lane = lane.shuffle(table);
            }
            return lanes;
        }
        let given = lanes;
        for k in 0..channels {
            lanes[k] = given[0].shuffle(tables[k][0].as_ptr());
            for (other, lane) in given.iter().enumerate().take(channels).skip(1) {
                lanes[k] = lanes[k].or(lane.shuffle(tables[k][other].as_ptr()));
            }
        }
        lanes
    }
}

/// The bytes of pixels of three bytes, each pixel in a word of its own; those of the last of
/// `lanes` are its last twelve bytes.
const fn words_of_three(lanes: usize) -> [u8; 64] {
    let mut table = [128; 64];
    let mut at = 0;
    while at < 64 {
        if at % 4 < 3 {
            let last = if at / 16 + 1 == lanes { 4 } else { 0 };
            table[at] = (at % 16 / 4 * 3 + at % 4 + last) as u8;
        }
        at += 1;
    }
    table
}

/// A plane of numbers, and the scale and the bias, if there are any.
pub(crate) type Floats<'t> = (&'t mut [f32], Option<(f32, f32)>);

/// Pixels of `C` bytes to planes of numbers `x`, or `scale * x + bias`. Only
/// [`compiled_for`](super::compiled_for) names a register to those outside of `kernel`, where its
/// instructions are there.
///
/// # Panics
/// If there are other pixels than elements of each plane, or less than 16, or too many channels.
#[inline(always)]
pub(crate) fn floats<V: Register, const C: usize>(pixels: &[u8], planes: [Floats<'_>; C]) {
    let count = pixels.len() / C;
    let fits = planes.iter().all(|plane| plane.0.len() == count);
    assert!(fits && count >= 16 && C <= CHANNELS && V::LANES > 1, "a number for each of 16 bytes");
    let factors = planes.each_ref().map(|plane| plane.1.unwrap_or((1.0, 0.0)));
    let is_scaled = planes.iter().any(|plane| plane.1.is_some());
    let (from, to) = (pixels.as_ptr(), planes.map(|plane| plane.0.as_mut_ptr()));
    // SAFETY: the instructions of `V` are there. Pixels and planes have `count` elements.
    unsafe {
        if is_scaled {
            lines_of_floats::<V, C, true>(count, from, to, factors);
        } else {
            lines_of_floats::<V, C, false>(count, from, to, factors);
        }
    }
}

/// # Safety
/// `count` pixels may be read, and as many numbers of each plane written: at least 16. The
/// instructions of `V` are there, a register of 2 or 4 lanes.
#[inline(always)]
unsafe fn lines_of_floats<V: Register, const C: usize, const SCALED: bool>(
    count: usize,
    from: *const u8,
    to: [*mut f32; C],
    factors: [(f32, f32); C],
) {
    // SAFETY: the caller's promise: 16 pixels from `first` on are there.
    unsafe {
        let mut registers = [(V::splat(1.0), V::splat(0.0)); C];
        for c in 0..C {
            registers[c] = (V::splat(factors[c].0), V::splat(factors[c].1));
        }
        // From the second line on, those of the first plane begin at lines of memory. The last one
        // overlaps the one before.
        line_of_floats::<V, C, SCALED>(0, from, to, &registers);
        let before = to[0].addr().wrapping_neg() % 64 / 4;
        let mut first = if before == 0 { 16 } else { before };
        // Several lines of each plane take one turn of the loop.
        let turn = const { if C < 3 { 4 / C } else { 1 } };
        while first + turn * 16 <= count {
            for k in 0..turn {
                line_of_floats::<V, C, SCALED>(first + k * 16, from, to, &registers);
            }
            first += turn * 16;
        }
        while first < count {
            line_of_floats::<V, C, SCALED>(first.min(count - 16), from, to, &registers);
            first += 16;
        }
    }
}

/// # Safety
/// As [`lines_of_floats`], of 16 pixels from `first` on.
#[inline(always)]
unsafe fn line_of_floats<V: Register, const C: usize, const SCALED: bool>(
    first: usize,
    from: *const u8,
    to: [*mut f32; C],
    factors: &[(V, V); C],
) {
    let table = const { &words_of_three(V::LANES) };
    let (many, parts) = (V::BYTES / 4, 64 / V::BYTES);
    // SAFETY: the caller's promise. Four pixels of three bytes are a lane, with four bytes more
    // behind them, or before them in the last lane.
    unsafe {
        let mut words = [V::splat(0.0); 2];
        for part in 0..parts {
            let from = from.add((first + part * many) * C);
            words[part] = match C {
                3 => {
                    let last = from.add(12 * V::LANES - 16);
                    let [b, c] =
                        if V::LANES == 2 { [last; 2] } else { [from.add(12), from.add(24)] };
                    V::load_lanes([from, b, c, last]).shuffle(table.as_ptr())
                }
                _ => V::load_words(from, C),
            };
        }
        for c in 0..C {
            for part in 0..parts {
                let mut numbers = words[part].numbers(c);
                if SCALED {
                    numbers = numbers.scaled(factors[c].0, factors[c].1);
                }
                numbers.store(to[c].add(first + part * many).cast());
            }
        }
    }
}
