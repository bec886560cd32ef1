//! The part of a layout that is a linear layout over F2, and Gaussian elimination.

use alloc::vec::Vec;

use smallvec::SmallVec;

use super::bits::width;
use super::modes::{KindMode, KindModes, fit, of_coordinate_bits};
use crate::dynamic::flat::sort_by_stride;
use crate::dynamic::sorted;
use crate::error::Fault;

/// A mode, and how far one step of it goes in the domain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KindDomainMode {
    pub(crate) mode: KindMode,
    pub(crate) step: usize,
}

pub(crate) type KindDomainModes = SmallVec<[KindDomainMode; 8]>;

/// The modes of extent other than 1, from left to right.
pub(crate) fn domain_modes(modes: &[KindMode]) -> KindDomainModes {
    let mut step = 1;
    let mut list = KindDomainModes::new();
    for &mode in modes {
        if mode.extent != 1 {
            list.push(KindDomainMode { mode, step });
        }
        step *= mode.extent;
    }
    list
}

/// The parts of a layout: bits below, natural numbers above.
pub(crate) struct BitsAndAbove {
    /// The XOR modes, and the natural ones among and below them, as XOR modes.
    pub(crate) linear: KindDomainModes,
    /// How many bits their offsets have.
    pub(crate) width: u32,
    /// The natural and the negative modes above all of these bits, without their signs.
    pub(crate) above: sorted::DomainList,
}

impl BitsAndAbove {
    /// The parts of the modes that move. A natural mode among the bits has to be linear itself; one
    /// that is not is left out if `skip`.
    pub(crate) fn new(modes: KindDomainModes, skip: bool) -> Result<Self, Fault> {
        let moving = modes.into_iter().filter(|of| of.mode.stride.number() != 0);
        let (mut linear, mut above): (KindDomainModes, KindDomainModes) =
            moving.partition(|of| of.mode.stride.is_xor());
        let (mut bits, mut used) =
            (linear.iter().map(|of| width(of.mode.bits())).max().unwrap_or(0), 0);
        let among = |of: &KindDomainMode, bits: u32| {
            of.mode.stride.number() as u128 & ((1 << bits) - 1) != 0
        };
        // A mode that is not linear is refused: the error names the least one.
        let order = |of: &KindDomainMode| if skip { 0 } else { of.mode.stride.number() };
        while let Some(k) =
            (0..above.len()).filter(|&k| among(&above[k], bits)).min_by_key(|&k| order(&above[k]))
        {
            let (of, mode) = (above[k], above.remove(k).mode);
            if mode.extent.is_power_of_two() && !mode.carries() && used & mode.bits() == 0 {
                linear.push(of);
                used |= mode.bits();
                bits = bits.max(width(mode.bits()));
            } else if !skip {
                return Err(Fault::AmongXor { extent: mode.extent, stride: mode.stride.number() });
            }
        }
        // From left to right again.
        sort_by_stride(&mut linear, |of| of.step);
        let above = above.iter().map(|of| {
            let (extent, stride) = (of.mode.extent, of.mode.stride.number());
            sorted::DomainMode { extent, stride, step: of.step }
        });
        Ok(BitsAndAbove { linear, width: bits, above: above.collect() })
    }

    /// The least offset above the bits.
    pub(crate) fn unit(&self) -> Result<usize, Fault> {
        fit(1 << self.width)
    }
}

/// Vectors of bits with different highest bits, each with the sum of the tags of those that it was
/// made of.
#[derive(Default)]
pub(crate) struct TaggedSpan {
    /// By falling vectors.
    rows: Vec<(u128, u128)>,
}

impl TaggedSpan {
    /// The rest of a vector, and the tag of the vectors that were subtracted.
    pub(crate) fn reduce(&self, vector: u128, tag: u128) -> (u128, u128) {
        self.rows.iter().fold((vector, tag), |(vector, tag), &(row, mine)| {
            if vector ^ row < vector { (vector ^ row, tag ^ mine) } else { (vector, tag) }
        })
    }

    /// Adds a vector; if it is in the span already, the tag of a sum that is 0.
    pub(crate) fn add(&mut self, vector: u128, tag: u128) -> Option<u128> {
        let (vector, tag) = self.reduce(vector, tag);
        if vector == 0 {
            return Some(tag);
        }
        let place = self.rows.iter().position(|&(row, _)| row < vector).unwrap_or(self.rows.len());
        self.rows.insert(place, (vector, tag));
        None
    }

    /// Whether a vector of the span has this highest bit.
    pub(crate) fn has_pivot(&self, bit: u32) -> bool {
        self.rows.iter().any(|&(row, _)| width(row) == bit + 1)
    }
}

/// How many bits the coordinates of XOR modes have, and how many of their offsets' bits can be
/// chosen. The XOR of two coordinates below an extent is any number of as many bits, so that
/// offsets differ if and only if these are equal.
pub(crate) fn ranks(modes: &KindModes) -> (usize, usize) {
    let mut span = TaggedSpan::default();
    let bits = modes.iter().flat_map(|&mode| of_coordinate_bits(mode, 0, u32::MAX));
    let count = bits.map(|(vector, _)| span.add(vector, 0)).count();
    (count, span.rows.len())
}
