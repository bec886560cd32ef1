//! Modes sorted by stride: the gaps that they leave, and their inverses.
//!
//! ```text
//! gaps             s:d leaves d/run steps of run free, where run is what the modes below it span
//! right_inverse    follows the strides 1, s0, s0*s1, ..
//! left_inverse     reads an offset in the mixed radix of the strides
//! ```

use smallvec::SmallVec;

use super::flat::{DynMode, DynModes, MergedList, measure, sort_by_stride};
use crate::error::Fault;

/// The range that the modes of a layout span.
#[derive(Clone, Copy)]
pub(crate) enum OffsetSpan {
    /// This number of offsets.
    Offsets(usize),
    /// More than `usize` holds: on 64 bits 2^61:8 does so, whose cosize is 2^64 - 7.
    BeyondUsize,
}

impl OffsetSpan {
    /// The span as a number.
    #[inline]
    pub(crate) fn number(self) -> Result<usize, Fault> {
        match self {
            OffsetSpan::Offsets(span) => Ok(span),
            OffsetSpan::BeyondUsize => Err(Fault::Overflow),
        }
    }
}

/// Appends to `free` the gaps between the first `run` offsets and the sorted modes, and returns the
/// range that the modes span.
///
/// `exact`: every stride must be a multiple of what lies below it, so that nothing is left over.
#[inline]
pub(crate) fn gaps_of(
    mut sorted: DynModes,
    mut run: usize,
    exact: bool,
    free: &mut impl MergedList,
) -> Result<OffsetSpan, Fault> {
    if sorted.len() > 1 {
        sort_by_stride(&mut sorted, |mode| mode.stride);
    }
    for (index, &DynMode { extent, stride }) in sorted.iter().enumerate() {
        if stride < run {
            return Err(Fault::Overlap { extent, stride, below: run });
        }
        if exact && stride % run != 0 {
            return Err(Fault::Stride { stride, below: run });
        }
        free.push_merged(DynMode::new(stride / run, run));
        run = match extent.checked_mul(stride) {
            Some(run) => run,
            // A mode above it would begin beyond the cosize of the layout, or within what this one
            // spans.
            None if index + 1 == sorted.len() => return Ok(OffsetSpan::BeyondUsize),
            None => return Err(Fault::Overflow),
        };
    }
    Ok(OffsetSpan::Offsets(run))
}

/// Whether the extent to fill is rounded up to a multiple of the span.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Rounded {
    Up,
    No,
}

/// Appends what is free above the span. Rounded up, the extent itself may leave `usize`: the result
/// need not.
#[inline]
pub(crate) fn top(
    span: OffsetSpan,
    extent: usize,
    rounded: Rounded,
    free: &mut impl MergedList,
) -> Result<(), Fault> {
    let span = match (span, rounded) {
        (OffsetSpan::Offsets(span), _) => span,
        // One copy fills it, and leaves nothing above.
        (OffsetSpan::BeyondUsize, Rounded::Up) if extent > 0 => return Ok(()),
        (OffsetSpan::BeyondUsize, _) => return Err(Fault::Overflow),
    };
    if span == 0 {
        // No copy of an empty layout fills anything but nothing.
        return if extent == 0 { Ok(()) } else { Err(Fault::Span { extent, span }) };
    }
    if rounded == Rounded::No && extent % span != 0 {
        return Err(Fault::Span { extent, span });
    }
    free.push_merged(DynMode::new(extent.div_ceil(span), span));
    Ok(())
}

/// A mode, and how far one step of it goes in the domain.
#[derive(Clone, Copy)]
pub(crate) struct DomainMode {
    pub(crate) extent: usize,
    pub(crate) stride: usize,
    pub(crate) step: usize,
}

pub(crate) type DomainList = SmallVec<[DomainMode; 8]>;

/// Follows the strides 1, s0, s0*s1, .. as far as they go; `run` is the first of them.
#[inline]
pub(crate) fn right_inverse(mut modes: DomainList, mut run: usize, inverse: &mut impl MergedList) {
    sort_by_stride(&mut modes, |mode| mode.stride);
    for mode in modes {
        if mode.stride == run {
            // At most the size of the layout, which fits.
            run *= mode.extent;
            inverse.push_merged(DynMode::new(mode.extent, mode.step));
        }
    }
}

/// Reads an offset, counted in units, in the mixed radix of the sorted strides: each digit goes
/// back to its step in the domain.
#[inline]
pub(crate) fn left_inverse(
    mut modes: DomainList,
    unit: usize,
    inverse: &mut impl MergedList,
) -> Result<(), Fault> {
    sort_by_stride(&mut modes, |mode| mode.stride);
    modes.retain(|mode| mode.stride != 0);
    let mut digits = DynModes::new();
    digits.extend(modes.first().map(|least| DynMode::new(least.stride / unit, 0)));
    for pair in modes.windows(2) {
        let (mode, up) = (pair[0], pair[1].stride);
        if mode.extent.checked_mul(mode.stride).is_none_or(|span| up < span) {
            return Err(Fault::Within { stride: up, extent: mode.extent, below: mode.stride });
        }
        if up % mode.stride != 0 {
            return Err(Fault::Strides { stride: up, below: mode.stride });
        }
        digits.push(DynMode::new(up / mode.stride, mode.step));
    }
    digits.extend(modes.last().map(|top| DynMode::new(top.extent, top.step)));
    // These extents come from no layout, and may be too large.
    measure(digits.iter().copied())?;
    digits.into_iter().for_each(|digit| inverse.push_merged(digit));
    Ok(())
}
