//! Complement: what a layout leaves free.
//!
//! ```text
//! R = complement(L, M)    (L, R) is a bijection onto [0, M), the stride-0 modes of L left out; R's strides increase
//! ```
//!
//! Sort the modes `s:d` of `L` by stride. Below a mode lie `run` offsets that those before it span: it leaves
//! `d/run` steps of `run` free, and together they span `s*d`. At the top, `M/run` steps are free.

use super::flat::{DynMode, DynModes, MergedList, sort_by_stride};
use super::layout::{DynLayout, View, from_modes};
use super::short::{SHORT, ShortList};
use crate::error::{Fault, LayoutError};

/// What the modes of a layout span.
#[derive(Clone, Copy)]
pub(crate) enum OffsetSpan {
    /// So many offsets.
    Offsets(usize),
    /// More than `usize` holds, as 2^61:8 does on 64 bits, whose cosize is 2^64 - 7.
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

/// Appends to `free` what the sorted modes leave free below and between them, and returns the range that they span.
///
/// `exact`: every stride must be a multiple of what lies below it, so that nothing is left over.
/// An empty layout spans nothing.
#[inline]
pub(crate) fn gaps(layout: View<'_>, exact: bool, free: &mut impl MergedList) -> Result<OffsetSpan, Fault> {
    if layout.shape.contains(&0) {
        return Ok(OffsetSpan::Offsets(0));
    }
    let mut sorted = DynModes::new();
    layout.flat().filter(|mode| mode.extent != 1 && mode.stride != 0).for_each(|mode| sorted.push(mode));
    if sorted.len() > 1 {
        sort_by_stride(&mut sorted, |mode| mode.stride);
    }
    let mut run = 1usize;
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
            // A mode above it would begin beyond the cosize of the layout, or within what this one spans.
            None if index + 1 == sorted.len() => return Ok(OffsetSpan::BeyondUsize),
            None => return Err(Fault::Overflow),
        };
    }
    Ok(OffsetSpan::Offsets(run))
}

/// Appends the modes of the complement to `free`.
#[inline]
pub(crate) fn complement(layout: View<'_>, extent: usize, free: &mut impl MergedList) -> Result<(), Fault> {
    fill(layout, extent, Rounded::No, free)
}

/// Whether the extent to fill is rounded up to a multiple of the span.
#[derive(Clone, Copy, PartialEq)]
enum Rounded {
    Up,
    No,
}

/// The complement in `extent`, or what `explain` makes of the fault.
#[inline]
fn free_layout(
    layout: View<'_>,
    extent: usize,
    rounded: Rounded,
    explain: impl Fn(Fault) -> LayoutError,
) -> Result<DynLayout, LayoutError> {
    // A gap below each mode, and one above the last.
    if layout.shape.len() < SHORT {
        let mut free = ShortList::new();
        let measured = fill(layout, extent, rounded, &mut free).and_then(|()| {
            free.end();
            free.measure()
        });
        return match measured {
            Ok(measure) => Ok(free.layout(measure)),
            Err(fault) => Err(explain(fault)),
        };
    }
    let mut free = DynModes::new();
    fill(layout, extent, rounded, &mut free).and_then(|()| from_modes(&free)).map_err(explain)
}

/// Appends the modes of the complement in `extent`. Rounded up, the extent itself may leave `usize`: the result need
/// not.
#[inline]
fn fill(layout: View<'_>, extent: usize, rounded: Rounded, free: &mut impl MergedList) -> Result<(), Fault> {
    let span = match (gaps(layout, true, free)?, rounded) {
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

impl DynLayout {
    /// What this layout leaves free in `[0, extent)`.
    ///
    /// Law and example: [`LayoutAlgebra::complement`](crate::LayoutAlgebra::complement).
    ///
    /// # Errors
    /// `overlap` if a mode lies within what others span, `divisibility` if a stride is no multiple of what lies below
    /// it or `extent` is no multiple of what the layout spans, `overflow` if that leaves `usize`.
    pub fn complement(&self, extent: usize) -> Result<DynLayout, LayoutError> {
        free_layout(self.view(), extent, Rounded::No, |fault| {
            LayoutError::new("complement", fault).with_operands(self, &extent)
        })
    }

    /// The complement in `extent` rounded up to a multiple of what the layout spans.
    ///
    /// Law and example: [`LayoutAlgebra::complement_ceil`](crate::LayoutAlgebra::complement_ceil).
    ///
    /// # Errors
    /// `overlap` and `divisibility` as for [`complement`](Self::complement), `overflow` if an offset of the result
    /// leaves `usize`; the extent rounded up may.
    pub fn complement_ceil(&self, extent: usize) -> Result<DynLayout, LayoutError> {
        free_layout(self.view(), extent, Rounded::Up, |fault| {
            LayoutError::new("complement_ceil", fault).with_operands(self, &extent)
        })
    }
}
