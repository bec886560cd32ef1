//! Neighbouring pixels of few channels, separated into planes, and planes interleaved to pixels.
//!
//! ```text
//! pixels of 16 / E places, C lanes of 16 bytes  <->  a lane of each of C planes
//! a lane = the sum over the C lanes of the other side, each shuffled by a table of its own, with zeros
//! ```

use super::nest::{Inner, Nest};
use super::registers::Register;
use super::rows::{Buffer, Steps, stream_row};
use crate::machine::InstructionSet;

/// The bytes that are gathered in the buffer before they are streamed: a part of the first cache.
const PART: usize = 8 << 10;
/// The most channels of a pixel.
pub(super) const CHANNELS: usize = 4;

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
            (2..=CHANNELS).contains(&channels)
                && channels * unit < 16
                && step == (channels * unit) as isize
        };
        let is_plain = shuffles && unit <= 4 && self.longer.iter().all(Vec::is_empty);
        match (is_pixel(j.extent, i.from), is_pixel(i.extent, j.to)) {
            (true, _) if is_plain => Some((j.extent, true)),
            (_, true) if is_plain => Some((i.extent, false)),
            _ => None,
        }
    }
}

/// Where each byte of a lane comes from: for each lane that is made, one table for each lane that
/// it is made of. 128 and more is a zero.
struct Tables([[[u8; 64]; CHANNELS]; CHANNELS]);

impl Tables {
    #[inline(always)]
    fn new<const E: usize>(channels: usize, apart: bool) -> Self {
        let mut tables = Tables([[[128; 64]; CHANNELS]; CHANNELS]);
        for plane in 0..channels {
            for at in 0..16 {
                // Byte `at` of this plane's lane, and the byte of the pixels that it is.
                let byte = (at / E * channels + plane) * E + at % E;
                let (lane, place) = (byte / 16, byte % 16);
                for l in 0..4 {
                    if apart {
                        tables.0[plane][lane][16 * l + at] = place as u8;
                    } else {
                        tables.0[lane][plane][16 * l + place] = at as u8;
                    }
                }
            }
        }
        tables
    }
}

/// # Safety
/// As [`Nest::run`](super::run); `from` and `to` are the places of the first byte, and the nest has
/// these channels.
#[inline(always)]
pub(super) unsafe fn pixels<V: Register, const E: usize>(
    nest: &Nest,
    channels: usize,
    apart: bool,
    from: *const u8,
    to: *mut u8,
) {
    let Inner::Transpose { i, j, .. } = nest.inner else { return };
    let (count, plane) = if apart { (i.extent, j.to) } else { (j.extent, i.from) };
    let tables = Tables::new::<E>(channels, apart);
    let pixel = channels * E;
    // Whole lines of each plane.
    let part = PART / pixel / 64 * 64;
    let mut buffer = nest.stream.then(Buffer::new);
    let mut steps = Steps::new(&nest.outer);
    while let Some((f, t)) = steps.next() {
        // SAFETY: the caller's promise: of a step, `count` pixels and as many elements of each
        // plane. The buffer holds a part of them.
        unsafe {
            let (from, to) = (from.offset(f), to.offset(t));
            let Some(buffer) = &mut buffer else {
                some::<V, E>(&tables, channels, apart, count, (from, plane), (to, plane));
                continue;
            };
            let buffer = buffer.begin();
            // Parts begin where lines of the destination do.
            let before = to.addr().wrapping_neg() % 64 / E;
            let mut first = 0;
            while first < count {
                let part = if first == 0 && before > 0 && apart { before } else { part }
                    .min(count - first);
                if apart {
                    some::<V, E>(
                        &tables,
                        channels,
                        apart,
                        part,
                        (from.add(first * pixel), 0),
                        (buffer, (part * E) as isize),
                    );
                    for c in 0..channels {
                        let to = to.offset(c as isize * plane).add(first * E);
                        stream_row::<V>(buffer.add(c * part * E), to, part * E);
                    }
                } else {
                    some::<V, E>(
                        &tables,
                        channels,
                        apart,
                        part,
                        (from.add(first * E), plane),
                        (buffer, 0),
                    );
                    stream_row::<V>(buffer, to.add(first * pixel), part * pixel);
                }
                first += part;
            }
        }
    }
}

/// `count` pixels: of the planes, the place of the first and the step from one to the next.
///
/// # Safety
/// So many pixels may be read, and as many written, and the instructions of `V` are there.
#[inline(always)]
unsafe fn some<V: Register, const E: usize>(
    tables: &Tables,
    channels: usize,
    apart: bool,
    count: usize,
    (from, from_plane): (*const u8, isize),
    (to, to_plane): (*mut u8, isize),
) {
    let (many, pixel) = (V::BYTES / E, channels * E);
    // SAFETY: the caller's promise: a register of each plane is as many pixels; the last ones
    // overlap those before.
    unsafe {
        if count >= many {
            let mut first = 0;
            loop {
                let (pixels_at, planes_at) = (first * pixel, first * E);
                let mut lanes =
                    [V::load(from.add(if apart { pixels_at } else { planes_at })); CHANNELS];
                for (k, lane) in lanes.iter_mut().enumerate().take(channels) {
                    *lane = if apart {
                        let at =
                            |l: usize| from.add(pixels_at + l % V::LANES * 16 * channels + 16 * k);
                        V::load_lanes([at(0), at(1), at(2), at(3)])
                    } else {
                        V::load(from.offset(k as isize * from_plane).add(planes_at))
                    };
                }
                for k in 0..channels {
                    let mut made = lanes[0].shuffle(tables.0[k][0].as_ptr());
                    for (other, lane) in lanes.iter().enumerate().take(channels).skip(1) {
                        made = made.or(lane.shuffle(tables.0[k][other].as_ptr()));
                    }
                    if apart {
                        made.store(to.offset(k as isize * to_plane).add(planes_at));
                    } else {
                        for l in 0..V::LANES {
                            made.store_lane(l, to.add(pixels_at + l * 16 * channels + 16 * k));
                        }
                    }
                }
                if first + many >= count {
                    return;
                }
                first = (first + many).min(count - many);
            }
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
