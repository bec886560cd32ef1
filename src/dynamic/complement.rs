//! Complement: the offsets that a layout leaves free.
//!
//! ```text
//! R = complement(L, M)
//!         (L, R) is a bijection onto [0, M), the stride-0 modes of L left out; R's strides increase
//! ```
//!
//! Sort the modes `s:d` of `L` by stride. Below a mode lie `run` offsets that those before it span:
//! it leaves `d/run` steps of `run` free, and together they span `s*d`. At the top, `M/run` steps
//! are free.

use super::flat::{DynModes, MergedList};
use super::kinds::inverse as mixed;
use super::kinds::modes::KindModes;
use super::layout::{DynLayout, View, from_every, from_modes};
use super::short::{SHORT, ShortList};
use super::sorted::{OffsetSpan, Rounded, gaps_of, top};
use crate::error::{Fault, LayoutError};

/// Appends to `free` the gaps below and between the sorted modes, and returns the range that the
/// modes span.
///
/// `exact`: every stride must be a multiple of what lies below it, so that nothing is left over.
/// An empty layout spans nothing.
#[inline]
pub(crate) fn gaps(
    layout: View<'_>,
    exact: bool,
    free: &mut impl MergedList,
) -> Result<OffsetSpan, Fault> {
    if layout.shape.contains(&0) {
        return Ok(OffsetSpan::Offsets(0));
    }
    if !layout.is_natural() {
        // The gaps may have strides of any kind, so they are not appended to `free`.
        return mixed::gaps(&layout.every_mode(), exact, &mut KindModes::new());
    }
    let mut modes = DynModes::new();
    layout
        .flat()
        .filter(|mode| mode.extent != 1 && mode.stride != 0)
        .for_each(|mode| modes.push(mode));
    gaps_of(modes, 1, exact, free)
}

/// The complement in `extent`; `explain` turns a fault into the error.
#[inline]
fn free_layout(
    layout: View<'_>,
    extent: usize,
    rounded: Rounded,
    explain: impl Fn(Fault) -> LayoutError,
) -> Result<DynLayout, LayoutError> {
    if !layout.is_natural() {
        let modes = mixed::complement(&layout.every_mode(), extent, rounded);
        return modes.and_then(|free| from_every(&free)).map_err(explain);
    }
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

/// Appends the modes of the complement in `extent`.
#[inline]
pub(crate) fn fill(
    layout: View<'_>,
    extent: usize,
    rounded: Rounded,
    free: &mut impl MergedList,
) -> Result<(), Fault> {
    let span = gaps(layout, true, free)?;
    top(span, extent, rounded, free)
}

impl DynLayout {
    /// The layout of the offsets in `[0, extent)` that this layout leaves free.
    ///
    /// Law and example: [`LayoutAlgebra::complement`](crate::LayoutAlgebra::complement).
    ///
    /// # Errors
    /// `overlap` if a mode lies within what others span, `divisibility` if a stride is no multiple
    /// of what lies below it or `extent` is no multiple of what the layout spans, `overflow` if
    /// that leaves `usize`.
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
    /// `overlap` and `divisibility` as for [`complement`](Self::complement), `overflow` if an
    /// offset of the result leaves `usize`; the extent rounded up may.
    pub fn complement_ceil(&self, extent: usize) -> Result<DynLayout, LayoutError> {
        free_layout(self.view(), extent, Rounded::Up, |fault| {
            LayoutError::new("complement_ceil", fault).with_operands(self, &extent)
        })
    }
}
