//! The number of offsets of a layout, of coordinates that share one, and of gaps.
//!
//! ```text
//! offsets = |{L(i)}|     sharing = max_o |{i : L(i) = o}|     gaps = cosize(L) - offsets
//! ```
//!
//! A negative stride counts as the natural stride, from the other end. Natural and XOR strides of
//! one layout have no bit in common, so both counts are products of those of the two parts. The
//! bits of XOR strides are a matrix over F2; its rank gives the number of offsets. Natural strides
//! are split into groups: where the greatest common divisor of the larger strides exceeds the span
//! of all smaller modes, both counts are products again. Within a group, the coordinates of each
//! offset are counted, mode by mode.

use layout_algebra::DynLayout;

use crate::error::Error;
use crate::function::{Function, Leaf, leaves};

/// The most offsets to count one by one, in a group of three or more modes.
const COUNTERS: usize = 1 << 22;

/// The number of offsets of a layout, the most coordinates that share one, and the number of gaps.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_analysis::Analysis;
/// let coverage = "(4,3):(-1,2)".parse::<DynLayout>()?.coverage()?; // 0 -1 -2 -3, 2 1 0 -1, 4 3 2 1
/// assert_eq!((coverage.offsets, coverage.sharing, coverage.gaps), (8, 2, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Different offsets: the footprint.
    pub offsets: usize,
    /// The most coordinates that share one offset: the aliasing, 1 for an injective layout, 0 for
    /// an empty one.
    pub sharing: usize,
    /// Numbers between the least and the largest offset that are no offset. Without negative
    /// strides the least offset is 0.
    pub gaps: usize,
}

pub(crate) fn coverage(layout: &DynLayout) -> Result<Coverage, Error> {
    if layout.size() == 0 {
        return Ok(Coverage { offsets: 0, sharing: 0, gaps: 0 });
    }
    let (still, moving): (Vec<Leaf>, Vec<Leaf>) =
        leaves(layout).into_iter().partition(|leaf| !leaf.moves());
    let (xor, natural): (Vec<Leaf>, Vec<Leaf>) = moving.into_iter().partition(|leaf| leaf.is_xor());
    let natural =
        natural.iter().map(|leaf| (leaf.extent as u128, leaf.signed().unsigned_abs())).collect();
    let parts = [of_sums(layout, natural)?, of_bits(layout, &xor)?];
    let still: usize = still.iter().map(|leaf| leaf.extent).product();
    let sharing = parts.iter().fold(still as u128, |all, part| all * part.sharing);
    let offsets = parts.iter().fold(1, |all, part| all * part.offsets);
    let fit = |number: u128| usize::try_from(number).map_err(|_| Error::overflow(layout));
    let gaps = fit(layout.cosize() as u128 - offsets)?;
    Ok(Coverage { offsets: fit(offsets)?, sharing: fit(sharing)?, gaps })
}

/// The number of offsets, and the most coordinates that share one.
struct Counted {
    offsets: u128,
    sharing: u128,
}

/// The counts of natural modes: extents with strides.
fn of_sums(layout: &DynLayout, mut modes: Vec<(u128, u128)>) -> Result<Counted, Error> {
    let mut all = Counted { offsets: 1, sharing: 1 };
    modes.sort_by_key(|&(_, stride)| stride);
    let divisors: Vec<u128> =
        (0..modes.len()).map(|k| modes[k..].iter().fold(0, |all, mode| gcd(all, mode.1))).collect();
    let (mut first, mut reach) = (0, 0);
    for (k, &(extent, stride)) in modes.iter().enumerate() {
        reach += (extent - 1) * stride;
        if divisors.get(k + 1).is_none_or(|&divisor| divisor > reach) {
            let group = of_group(layout, &modes[first..=k])?;
            all = Counted {
                offsets: all.offsets * group.offsets,
                sharing: all.sharing * group.sharing,
            };
            first = k + 1;
        }
    }
    Ok(all)
}

/// The counts of a group of modes.
fn of_group(layout: &DynLayout, modes: &[(u128, u128)]) -> Result<Counted, Error> {
    let unit = modes.iter().fold(0, |all, mode| gcd(all, mode.1));
    match modes {
        [(extent, _)] => return Ok(Counted { offsets: *extent, sharing: 1 }),
        // (x, y) shares an offset with (x + far, y - near), and with no others but the further
        // members of this chain.
        [(a, near), (b, far)] => {
            let (near, far) = (near / unit, far / unit);
            let joined = a.saturating_sub(far) * b.saturating_sub(near);
            return Ok(Counted {
                offsets: a * b - joined,
                sharing: a.div_ceil(far).min(b.div_ceil(near)),
            });
        }
        _ => {}
    }
    let reach: u128 = modes.iter().map(|(extent, stride)| (extent - 1) * (stride / unit)).sum();
    if reach >= COUNTERS as u128 {
        return Err(Error::TooMany {
            layout: layout.to_string(),
            count: reach + 1,
            most: COUNTERS,
        });
    }
    // `counts[o]`: the coordinates of the modes so far with offset `o`. One more mode replaces each
    // count by a sum over a window of its steps, which slides by one step at a time.
    let (mut counts, mut reached) = (vec![0usize; reach as usize + 1], 0);
    counts[0] = 1;
    for &(extent, stride) in modes {
        let (stride, span) = ((stride / unit) as usize, (extent * stride / unit) as usize);
        let before = counts[..=reached].to_vec();
        reached += span - stride;
        for offset in 0..=reached {
            let added = before.get(offset).copied().unwrap_or(0);
            let last = if offset < stride { 0 } else { counts[offset - stride] };
            let gone = offset
                .checked_sub(span)
                .and_then(|offset| before.get(offset).copied())
                .unwrap_or(0);
            counts[offset] = last + added - gone;
        }
    }
    let offsets = counts.iter().filter(|&&count| count > 0).count() as u128;
    Ok(Counted { offsets, sharing: counts.into_iter().max().unwrap_or(0) as u128 })
}

/// The counts of XOR modes.
fn of_bits(layout: &DynLayout, modes: &[Leaf]) -> Result<Counted, Error> {
    let size: u128 = modes.iter().map(|leaf| leaf.extent as u128).product();
    let mut basis: Vec<u128> = Vec::new();
    let (mut bits, mut rank) = (0u32, 0u32);
    for leaf in modes {
        for bit in 0..usize::BITS - (leaf.extent - 1).leading_zeros() {
            let vector = basis
                .iter()
                .fold((leaf.signed() as u128) << bit, |rest, base| rest.min(rest ^ base));
            bits += 1;
            if vector != 0 {
                rank += 1;
                basis.push(vector);
            }
        }
    }
    if bits == rank {
        return Ok(Counted { offsets: size, sharing: 1 });
    }
    if modes.iter().all(|leaf| leaf.extent.is_power_of_two()) {
        return Ok(Counted { offsets: 1 << rank, sharing: 1 << (bits - rank) });
    }
    let strides = modes.iter().map(|leaf| leaf.stride);
    let shape = modes.iter().map(|leaf| leaf.extent).collect::<Vec<_>>();
    let part = DynLayout::with_strides(shape, strides)?;
    let mut offsets =
        Function::new(&part).table(layout, usize::try_from(size).unwrap_or(usize::MAX))?;
    offsets.sort_unstable();
    let runs = offsets.chunk_by(|a, b| a == b);
    Ok(Counted {
        offsets: runs.clone().count() as u128,
        sharing: runs.map(|run| run.len()).max().unwrap_or(0) as u128,
    })
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The number of segments of `segment_bits` that the elements of `element_bits` touch.
pub(crate) fn segments(
    layout: &DynLayout,
    element_bits: usize,
    segment_bits: usize,
) -> Result<usize, Error> {
    for (what, number) in
        [("the bits of an element", element_bits), ("the bits of a segment", segment_bits)]
    {
        if number == 0 {
            return Err(Error::Number { what, number, needed: "1 or more" });
        }
    }
    // Modes of stride 0 add no offsets.
    let filtered = layout.filter();
    let mut offsets = Function::new(&filtered).table(layout, filtered.size())?;
    offsets.sort_unstable();
    let (element, segment) = (element_bits as i128, segment_bits as i128);
    let (mut count, mut next) = (0i128, i128::MIN);
    for offset in offsets {
        let first = offset.checked_mul(element).ok_or_else(|| Error::overflow(layout))?;
        let last = first.checked_add(element - 1).ok_or_else(|| Error::overflow(layout))?;
        let (first, last) = (first.div_euclid(segment), last.div_euclid(segment));
        if last >= next {
            count += last - first.max(next) + 1;
            next = last + 1;
        }
    }
    usize::try_from(count).map_err(|_| Error::overflow(layout))
}
