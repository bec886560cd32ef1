//! Explicit rounding up.
//!
//! ```text
//! R = round_up(L, T)      R(c) = L(c) for every coordinate c of L, and T divides each mode of R
//! ```
//!
//! Each mode grows to the next multiple of the span of the tiler there. Strides stay. A mode of
//! several leaves grows in its last one, since domains extend there.

use super::complement::gaps;
use super::flat::DynModes;
use super::layout::{Draft, DynLayout, View};
use super::sorted::OffsetSpan;
use super::tiler::{IntoDynTiler, Item, Items};
use crate::error::{Fault, LayoutError};
use crate::number::table::gcd;

/// The least extent that is at least `last` and makes `size of the other leaves * extent` a
/// multiple of `span`.
fn grown(last: usize, others: usize, span: OffsetSpan) -> Result<usize, Fault> {
    let span = match span {
        // No multiple of it but 0 fits.
        OffsetSpan::BeyondUsize if last == 0 || others == 0 => return Ok(last),
        span => span.number()?,
    };
    if span == 0 {
        // An empty tile divides only an empty mode.
        return if last * others == 0 {
            Ok(last)
        } else {
            Err(Fault::Span { extent: last * others, span })
        };
    }
    if others == 0 {
        return Ok(last);
    }
    last.checked_next_multiple_of(span / gcd(others, span)).ok_or(Fault::Overflow)
}

fn round_up(layout: View<'_>, tiler: &mut Items<'_>, draft: &mut Draft) -> Result<(), Fault> {
    match tiler.node() {
        Item::Keep => draft.tree(layout),
        Item::Number(tile) | Item::Layout(tile) => {
            let span = gaps(tile, true, &mut DynModes::new())?;
            draft.tree(layout);
            if let (Some(last), Some((extent, others))) =
                (draft.shape.last_mut(), layout.shape.split_last())
            {
                *last = grown(*extent, others.iter().product(), span)?;
            }
        }
        Item::Tuple(rank) => {
            if rank > layout.rank() {
                return Err(Fault::TilerRank { tiler: rank, layout: layout.rank() });
            }
            draft.open(layout.rank());
            for (index, mode) in layout.modes().enumerate() {
                if index < rank {
                    round_up(mode, tiler, draft)?;
                } else {
                    draft.tree(mode);
                }
            }
        }
    }
    Ok(())
}

impl DynLayout {
    /// Grows each mode to the next multiple of the span of the tiler there: sizes that do not
    /// divide are padded explicitly, and then divide.
    ///
    /// Law and example: [`LayoutAlgebra::round_up`](crate::LayoutAlgebra::round_up).
    ///
    /// # Errors
    /// `overlap` or `divisibility` if a tile has no complement in any extent, `rank` if a tuple has
    /// more modes than the layout, `overflow` if the size or the cosize leaves `usize`.
    pub fn round_up(&self, tiler: impl IntoDynTiler) -> Result<DynLayout, LayoutError> {
        let tiler = tiler.into();
        Draft::build(
            |draft| round_up(self.view(), &mut tiler.items(), draft),
            |fault| LayoutError::new("round_up", fault).with_operands(self, &tiler),
        )
    }
}
