//! Moves elements smaller than a byte in words: a few words are read, bits of the elements' indices
//! are exchanged, and the words are written to the destination.
//!
//! ```text
//! index of an element in a tile: in the source, the low bits are the position in a word, the high bits the word
//! exchange of two index bits: elements whose indices differ in both bits change places, by shifts and masks
//! ```

use std::fmt;

use layout_relayout::InstructionSet;
use pulp::{Arch, NullaryFnOnce};

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use super::permute::Permutation;
use crate::format::Axes;

/// Tiles that are exchanged in parallel.
const LANES: usize = 8;
/// The most words of a tile.
const WORDS: usize = 16;
/// The bytes of a cache line.
pub(super) const LINE: usize = 64;

/// An exchange of two bits of an element's index in its tile.
#[derive(Clone, Copy, Debug)]
enum Exchange {
    /// Two bits of the position in a word.
    Within { by: u32, mask: u64 },
    /// A bit of the position in a word, and a bit of the word's index.
    Across { word: usize, by: u32, mask: u64 },
}

#[derive(Debug)]
pub(super) struct Network {
    /// The bytes of a word.
    word: usize,
    /// How many words a tile has.
    words: usize,
    /// The offsets of the words of `lanes` tiles, in the source and in the destination, word by
    /// word; and the bytes that they span.
    places: [Vec<u32>; 2],
    reach: [usize; 2],
    exchanges: Vec<Exchange>,
    /// The tiles moved in parallel: `LANES`, or one; or those of the permutation.
    lanes: usize,
    /// The exchanges of nibbles as one permutation, if the processor has byte shuffles.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    permutation: Option<Permutation>,
    /// The loops over tiles, and whether they follow the order of the source and of the
    /// destination.
    loops: Axes,
    pub(super) in_order: [bool; 2],
}

impl Network {
    /// `None` if elements do not fill words, or a stride within a tile is no power of two.
    pub(super) fn plan(width: usize, at: [usize; 2], axes: &Axes) -> Option<Self> {
        if !width.is_power_of_two() || width > 4 || at.iter().any(|at| at % 8 != 0) {
            return None;
        }
        // Every factor of two of an extent is an axis.
        let (mut twos, mut others) = (Vec::new(), Vec::new());
        for (k, &extent) in axes.extents.iter().enumerate() {
            let mut strides = [axes.strides[0][k], axes.strides[1][k]];
            for _ in 0..extent.trailing_zeros() {
                twos.push(strides);
                strides = strides.map(|stride| stride * 2);
            }
            let rest = extent >> extent.trailing_zeros();
            if rest != 1 {
                others.push((rest, strides));
            }
        }
        // The axes of one side along which elements follow one another in words of `bits` bits.
        let within = |side: usize, bits: usize| {
            let places = (0..(bits / width).trailing_zeros()).map(|p| width << p);
            places
                .map(|place| twos.iter().position(|two| two[side] == place))
                .collect::<Option<Vec<_>>>()
        };
        let fits = |bits: usize| {
            let sides = [within(0, bits)?, within(1, bits)?];
            // The strides of words are whole bytes.
            let around = |side: usize| {
                let twos = twos
                    .iter()
                    .enumerate()
                    .filter(|(k, _)| !sides[side].contains(k))
                    .map(|(_, two)| two[side]);
                twos.chain(others.iter().map(|other| other.1[side]))
                    .all(|stride| stride % 8 == 0 && stride >= bits)
            };
            (around(0) && around(1)).then_some((bits, sides))
        };
        let (bits, [source, target]) =
            [64, 32, 16, 8].into_iter().filter(|bits| bits / width > 1).find_map(fits)?;
        // Bits of the position in a word, then bits of the word's index.
        let mut order = source.clone();
        order.extend(target.iter().filter(|k| !source.contains(k)));
        let places = source.len();
        if 1 << (order.len() - places) > WORDS {
            return None;
        }
        let words_of = |list: &[usize], side: usize| {
            let word = |n: usize| {
                list.iter().enumerate().map(|(q, &k)| (n >> q & 1) * twos[k][side] / 8).sum()
            };
            (0..1 << list.len()).map(word).collect::<Vec<usize>>()
        };
        let from = words_of(&order[places..], 0);
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        let before = order.clone();
        let mut exchanges = Vec::new();
        for (place, two) in target.iter().enumerate() {
            let now = order.iter().position(|k| k == two)?;
            if now == place {
                continue;
            }
            let (low, high) = (width << place, width << now.min(places));
            // The bits of a word whose positions have the bits `set` and not the bits `clear`.
            let mask = |set: usize, clear: usize| {
                let chosen = (0..bits).filter(|bit| bit & set == set && bit & clear == 0);
                chosen.fold(0_u64, |mask, bit| mask | 1 << bit)
            };
            exchanges.push(match now < places {
                true => Exchange::Within { by: (high - low) as u32, mask: mask(low, high) },
                false => {
                    Exchange::Across { word: now - places, by: low as u32, mask: mask(0, low) }
                }
            });
            order.swap(place, now);
        }
        let to = words_of(&order[places..], 1);
        // The loops over tiles fill cache lines of the destination, then of the source, and then
        // follow the order of the source. With AVX-512 on processors other than AMD's they follow
        // the order of the destination, unless a tile is a line of the source: measured to be
        // faster there.
        #[cfg(target_arch = "x86_64")]
        let by_lines = !is_x86_feature_detected!("avx512f") || is_x86_feature_detected!("sse4a");
        #[cfg(not(target_arch = "x86_64"))]
        let by_lines = false;
        let by_lines = by_lines
            || from.iter().max() == Some(&(LINE - bits / 8)) && from.len() * bits == LINE * 8;
        let mut around: Vec<_> = twos
            .iter()
            .enumerate()
            .filter(|(k, _)| !order.contains(k))
            .map(|(_, two)| (2, *two))
            .collect();
        around.extend(others);
        around.sort_by_key(|(_, [from, to])| {
            let inner = [to, from].into_iter().position(|stride| *stride < LINE * 8).unwrap_or(2);
            if by_lines { (inner, *from) } else { (0, *to) }
        });
        let in_order = [0, 1].map(|side| around.is_sorted_by_key(|axis| axis.1[side]));
        let shuffles = [InstructionSet::Avx2, InstructionSet::Neon];
        let shuffles = shuffles.into_iter().any(InstructionSet::is_available);
        let many = width == 4 && bits == 64 && from.len() <= 8 && shuffles;
        // A permutation takes any number of lanes. If both sides are in order, more lanes were
        // measured to be faster.
        let most = if many && in_order == [true; 2] { 8 * LANES } else { LANES };
        let twos = around.iter().take(most.ilog2() as usize).take_while(|axis| axis.0 == 2).count();
        let lanes: Vec<_> = around.drain(..if 1 << twos < LANES { 0 } else { twos }).collect();
        let mut reach = [0; 2];
        let mut places_of = |side: usize, words: &[usize]| {
            let lane = |n: usize| {
                lanes.iter().enumerate().map(|(q, axis)| (n >> q & 1) * axis.1[side] / 8).sum()
            };
            let lanes: Vec<usize> = (0..1 << lanes.len()).map(lane).collect();
            let places = words.iter().flat_map(|word| lanes.iter().map(move |lane| word + lane));
            reach[side] = places.clone().max()? + bits / 8;
            places.map(|place| u32::try_from(place).ok()).collect::<Option<Vec<_>>>()
        };
        let places = [places_of(0, &from)?, places_of(1, &to)?];
        let loops = Axes {
            extents: around.iter().map(|axis| axis.0).collect(),
            strides: [0, 1].map(|side| around.iter().map(|axis| axis.1[side] / 8).collect()).into(),
        };
        let (words, lanes) = (from.len(), 1 << lanes.len());
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        let permutation = if many && words * lanes >= 8 {
            let bit = |t: usize| {
                order.get(t).and_then(|k| before.iter().position(|one| one == k)).unwrap_or(t)
            };
            let tile = |t: usize| {
                let of = |side: usize| {
                    [0, 1, 2, 3, 4, 5, 6, 7]
                        .map(|k| places[side][k % words * lanes + t * (8 / words) + k / words])
                };
                [of(0), of(1)]
            };
            Permutation::new(std::array::from_fn(bit), (0..words * lanes / 8).map(tile).collect())
        } else {
            None
        };
        Some(Network {
            word: bits / 8,
            words,
            places,
            reach,
            exchanges,
            lanes,
            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            permutation,
            loops,
            in_order,
        })
    }

    /// Advances the loops; returns whether there is another place.
    #[inline(always)]
    fn next(&self, steps: &mut [usize], place: &mut [usize; 2]) -> bool {
        for (axis, step) in steps.iter_mut().enumerate() {
            *step += 1;
            let done = *step == self.loops.extents[axis];
            for (place, strides) in place.iter_mut().zip(&self.loops.strides) {
                *place += strides[axis];
                *place -= if done { strides[axis] * self.loops.extents[axis] } else { 0 };
            }
            if !done {
                return true;
            }
            *step = 0;
        }
        false
    }

    pub(super) fn run(&self, from: &[u8], to: &mut [u8]) {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        if let Some(permutation) = &self.permutation {
            let mut steps = vec![0; self.loops.extents.len()];
            return permutation.run(from, to, |place| self.next(&mut steps, place));
        }
        let lanes = self.lanes;
        macro_rules! by_word {
            ($($bytes:literal)*) => {
                match self.word {
                    $($bytes if lanes == LANES => Arch::new().dispatch(Tiles::<$bytes, LANES> { network: self, from, to }),
                    $bytes => Arch::new().dispatch(Tiles::<$bytes, 1> { network: self, from, to }),)*
                    _ => unreachable!("a word has 8, 4, 2 bytes or 1"),
                }
            };
        }
        by_word!(8 4 2 1)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (words, bits) = (self.words, self.word * 8);
        write!(f, "{words} words of {bits} bits, {} exchanges", self.exchanges.len())
    }
}

struct Tiles<'a, const BYTES: usize, const LANES: usize> {
    network: &'a Network,
    from: &'a [u8],
    to: &'a mut [u8],
}
impl<const BYTES: usize, const LANES: usize> NullaryFnOnce for Tiles<'_, BYTES, LANES> {
    type Output = ();
    #[inline(always)]
    fn call(self) {
        let Tiles { network, from, to } = self;
        let Network { words, places, reach, exchanges, loops, .. } = network;
        let count = (*words).min(WORDS);
        let (mut place, mut steps) = ([0, 0], vec![0; loops.extents.len()]);
        loop {
            let mut tile = [[0_u64; LANES]; WORDS];
            let window = &from[place[0]..][..reach[0]];
            for (word, &at) in tile.as_flattened_mut().iter_mut().zip(&places[0]) {
                let mut bytes = [0; 8];
                bytes[..BYTES].copy_from_slice(&window[at as usize..at as usize + BYTES]);
                *word = u64::from_le_bytes(bytes);
            }
            exchange(exchanges, &mut tile[..count]);
            let window = &mut to[place[1]..][..reach[1]];
            for (word, &at) in tile.as_flattened().iter().zip(&places[1]) {
                window[at as usize..at as usize + BYTES]
                    .copy_from_slice(&word.to_le_bytes()[..BYTES]);
            }
            if !network.next(&mut steps, &mut place) {
                return;
            }
        }
    }
}

/// Makes the exchanges in the words of several tiles.
#[inline(always)]
fn exchange<const LANES: usize>(exchanges: &[Exchange], tile: &mut [[u64; LANES]]) {
    for exchange in exchanges {
        match *exchange {
            Exchange::Within { by, mask } => {
                for lane in tile.as_flattened_mut() {
                    let differ = ((*lane >> (by & 63)) ^ *lane) & mask;
                    *lane ^= differ ^ differ << (by & 63);
                }
            }
            Exchange::Across { word, by, mask } => {
                for pair in tile.chunks_exact_mut(2 << word) {
                    let (first, second) = pair.split_at_mut(1 << word);
                    for (a, b) in first.as_flattened_mut().iter_mut().zip(second.as_flattened_mut())
                    {
                        let differ = ((*a >> (by & 63)) ^ *b) & mask;
                        *b ^= differ;
                        *a ^= differ << (by & 63);
                    }
                }
            }
        }
    }
}
