//! Complement: what a layout leaves free.
//!
//! ```text
//! R = complement(L, M)        (L, R) is a bijection onto [0, M), the stride-0 modes of L left out; R's strides increase
//! ```
//!
//! Sort the modes `s:d` of `L` by stride. Below a mode lie `run` offsets that those before it span: it leaves
//! `d/run` steps of `run` free, and together they span `s*d`. At the top, `M/run` steps are free.

use super::flat::{Mode, Modes, push_merged, sort_by_stride};
use super::layout::{Draft, DynLayout, View};
use crate::error::{Fault, LayoutError};

/// Appends to `free` what the sorted modes leave free below and between them, and returns the range that they span.
///
/// `exact`: every stride must be a multiple of what lies below it, so that nothing is left over. An empty layout spans nothing.
#[inline]
pub(crate) fn gaps(layout: View<'_>, exact: bool, free: &mut Modes) -> Result<usize, Fault> {
    if layout.shape.contains(&0) {
        return Ok(0);
    }
    let mut sorted = Modes::new();
    sorted.extend(layout.flat().filter(|mode| mode.extent != 1 && mode.stride != 0));
    if sorted.len() > 1 {
        sort_by_stride(&mut sorted, |mode| mode.stride);
    }
    let mut run = 1usize;
    for &Mode { extent, stride } in &sorted {
        if stride < run {
            return Err(Fault::Overlap { extent, stride, below: run });
        }
        if exact && stride % run != 0 {
            return Err(Fault::Stride { stride, below: run });
        }
        push_merged(free, Mode::new(stride / run, run));
        run = extent.checked_mul(stride).ok_or(Fault::Overflow)?;
    }
    Ok(run)
}

/// Appends the modes of the complement to `free`.
#[inline]
pub(crate) fn complement(layout: View<'_>, extent: usize, free: &mut Modes) -> Result<(), Fault> {
    let span = gaps(layout, true, free)?;
    close(free, span, extent)
}

/// Adds the steps above the span to what is free below it.
#[inline]
fn close(free: &mut Modes, span: usize, extent: usize) -> Result<(), Fault> {
    if span == 0 {
        // No copy of an empty layout fills anything but nothing.
        return if extent == 0 { Ok(()) } else { Err(Fault::Span { extent, span }) };
    }
    if extent % span != 0 {
        return Err(Fault::Span { extent, span });
    }
    push_merged(free, Mode::new(extent / span, span));
    Ok(())
}

fn complement_ceil(layout: View<'_>, extent: usize, free: &mut Modes) -> Result<(), Fault> {
    let span = gaps(layout, true, free)?;
    let whole = if span == 0 { extent } else { extent.checked_next_multiple_of(span).ok_or(Fault::Overflow)? };
    close(free, span, whole)
}

impl DynLayout {
    /// What this layout leaves free in `[0, extent)`.
    ///
    /// Law: `(L, R)` is a bijection onto `[0, extent)` once the stride-0 modes of `L` are dropped, and the strides of `R` increase.
    /// CuTe: `complement`.
    ///
    /// # Errors
    /// `overlap` if a mode lies within what others span, `divisibility` if a stride is no multiple of what lies below it or `extent` is
    /// no multiple of what the layout spans, `overflow` if that leaves `usize`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(2,4):(1,2)".parse::<DynLayout>()?.complement(16)?.to_string(), "2:8");
    /// assert_eq!("8:2".parse::<DynLayout>()?.complement(32)?.to_string(), "(2,2):(1,16)");
    /// assert_eq!(
    ///     "4:1".parse::<DynLayout>()?.complement(25).unwrap_err().to_string(),
    ///     "cannot take the complement of 4:1 in 25: extent 25 is not a multiple of 4, what the layout spans",
    /// );
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn complement(&self, extent: usize) -> Result<DynLayout, LayoutError> {
        let mut free = Modes::new();
        Draft::build(
            |draft| complement(self.view(), extent, &mut free).map(|()| draft.modes(&free)),
            |fault| LayoutError::new("complement", fault).with_operands(self, &extent),
        )
    }

    /// The complement in `extent` rounded up to a multiple of what the layout spans.
    ///
    /// Law: `complement(ceil(extent / span) * span)`. CuTe: `complement`, which rounds without being asked.
    ///
    /// # Errors
    /// `overlap` and `divisibility` as for [`complement`](Self::complement), `overflow` if the extent leaves `usize`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("4:1".parse::<DynLayout>()?.complement_ceil(25)?.to_string(), "7:4");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn complement_ceil(&self, extent: usize) -> Result<DynLayout, LayoutError> {
        let mut free = Modes::new();
        Draft::build(
            |draft| complement_ceil(self.view(), extent, &mut free).map(|()| draft.modes(&free)),
            |fault| LayoutError::new("complement_ceil", fault).with_operands(self, &extent),
        )
    }
}
