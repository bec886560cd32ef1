//! Complement: what a layout leaves free.
//!
//! ```text
//! R = complement(L, M)        (L, R) is a bijection onto [0, M), the stride-0 modes of L left out; R's strides increase
//! ```
//!
//! Sort the modes `s:d` of `L` by stride. Below a mode lie `run` offsets that those before it span: it leaves
//! `d/run` steps of `run` free, and together they span `s*d`. At the top, `M/run` steps are free.

use super::flat::{MergedList, Mode, Modes, sort_by_stride};
use super::layout::{DynLayout, View, from_modes};
use super::short::{SHORT, ShortList};
use crate::error::{Fault, LayoutError};

/// Appends to `free` what the sorted modes leave free below and between them, and returns the range that they span.
///
/// `exact`: every stride must be a multiple of what lies below it, so that nothing is left over. An empty layout spans nothing.
#[inline]
pub(crate) fn gaps(layout: View<'_>, exact: bool, free: &mut impl MergedList) -> Result<usize, Fault> {
    if layout.shape.contains(&0) {
        return Ok(0);
    }
    let mut sorted = Modes::new();
    layout.flat().filter(|mode| mode.extent != 1 && mode.stride != 0).for_each(|mode| sorted.push(mode));
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
        free.push_merged(Mode::new(stride / run, run));
        run = extent.checked_mul(stride).ok_or(Fault::Overflow)?;
    }
    Ok(run)
}

/// Appends the modes of the complement to `free`.
#[inline]
pub(crate) fn complement(layout: View<'_>, extent: usize, free: &mut impl MergedList) -> Result<(), Fault> {
    fill(layout, |_| Ok(extent), free)
}

/// The complement in the extent that `whole` makes of the span, or what `explain` makes of the fault.
#[inline]
fn free_layout(
    layout: View<'_>,
    whole: impl Fn(usize) -> Result<usize, Fault>,
    explain: impl Fn(Fault) -> LayoutError,
) -> Result<DynLayout, LayoutError> {
    // A gap below each mode, and one above the last.
    if layout.shape.len() < SHORT {
        let mut free = ShortList::new();
        let measured = fill(layout, whole, &mut free).and_then(|()| {
            free.end();
            free.measure()
        });
        return match measured {
            Ok(measure) => Ok(free.layout(measure)),
            Err(fault) => Err(explain(fault)),
        };
    }
    let mut free = Modes::new();
    fill(layout, whole, &mut free).and_then(|()| from_modes(&free)).map_err(explain)
}

/// Appends the modes of the complement in the extent that `whole` makes of the span.
#[inline]
fn fill(
    layout: View<'_>,
    whole: impl Fn(usize) -> Result<usize, Fault>,
    free: &mut impl MergedList,
) -> Result<(), Fault> {
    let span = gaps(layout, true, free)?;
    let extent = whole(span)?;
    if span == 0 {
        // No copy of an empty layout fills anything but nothing.
        return if extent == 0 { Ok(()) } else { Err(Fault::Span { extent, span }) };
    }
    if extent % span != 0 {
        return Err(Fault::Span { extent, span });
    }
    free.push_merged(Mode::new(extent / span, span));
    Ok(())
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
        free_layout(
            self.view(),
            |_| Ok(extent),
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
        let whole = |span| match span {
            0 => Ok(extent),
            _ => extent.checked_next_multiple_of(span).ok_or(Fault::Overflow),
        };
        free_layout(self.view(), whole, |fault| LayoutError::new("complement_ceil", fault).with_operands(self, &extent))
    }
}
