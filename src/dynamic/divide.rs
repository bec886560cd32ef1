//! Divides: cut a layout into tiles.
//!
//! ```text
//! logical_divide(A, T) = A o (T, complement(T, size A))      mode 0 is the tile, mode 1 counts tiles
//! ```
//!
//! The result runs over the same offsets as `A`, each as often, times the product of the tile's
//! extents at stride 0 (`divide_offsets` in `crates/proof`). By mode with a tiler; modes beyond its
//! rank are kept.

use super::by_mode::{ResultForm, split_by};
use super::complement::fill;
use super::composition::Composer;
use super::flat::DynModes;
use super::kinds as mixed;
use super::layout::{Draft, DynLayout, View};
use super::sorted::Rounded;
use super::tiler::IntoDynTiler;
use crate::error::{Fault, LayoutError};

/// `A o T` and `A o complement(T, size A)`, as one composition.
fn split(
    layout: View<'_>,
    tile: View<'_>,
    tile_draft: &mut Draft,
    rest_draft: &mut Draft,
) -> Result<(), Fault> {
    if !layout.is_natural() || !tile.is_natural() {
        let mut all = tile.every_mode();
        let rest = mixed::inverse::complement(&all, layout.size(), Rounded::No)?;
        all.extend(rest.iter().copied());
        let (mut composed, parts) = mixed::compose::compose(&layout.every_mode(), &all)?;
        tile_draft.in_place_of(tile, &mut composed);
        tile_draft.parts.join(parts);
        if rest.len() > 1 {
            rest_draft.open(rest.len());
        }
        (0..rest.len().max(1)).for_each(|_| rest_draft.every(&composed.next().unwrap_or_default()));
        return Ok(());
    }
    let mut rest = DynModes::new();
    fill(tile, layout.size(), Rounded::No, &mut rest)?;
    let mut composer = Composer::new(layout.flat());
    composer.tree(tile, tile_draft)?;
    composer.modes(&rest, rest_draft)?;
    composer.finish()
}

impl DynLayout {
    /// Cuts the layout, or each mode of it, into tiles and the rest that counts them.
    ///
    /// Law and example: [`LayoutAlgebra::logical_divide`](crate::LayoutAlgebra::logical_divide).
    ///
    /// # Errors
    /// Those of [`complement`](Self::complement) for the tile and of [`compose`](Self::compose);
    /// `rank` if a tuple has more modes than the layout.
    pub fn logical_divide(&self, tiler: impl IntoDynTiler) -> Result<DynLayout, LayoutError> {
        split_by("logical_divide", self, tiler.into(), split, ResultForm::Logical)
    }

    /// [`logical_divide`](Self::logical_divide) with all tiles in mode 0 and all rests in mode 1.
    ///
    /// Law and example: [`LayoutAlgebra::zipped_divide`](crate::LayoutAlgebra::zipped_divide).
    ///
    /// # Errors
    /// Those of [`logical_divide`](Self::logical_divide).
    pub fn zipped_divide(&self, tiler: impl IntoDynTiler) -> Result<DynLayout, LayoutError> {
        split_by("zipped_divide", self, tiler.into(), split, ResultForm::Zipped)
    }

    /// [`zipped_divide`](Self::zipped_divide) with the rests unpacked.
    ///
    /// Law and example: [`LayoutAlgebra::tiled_divide`](crate::LayoutAlgebra::tiled_divide).
    ///
    /// # Errors
    /// Those of [`logical_divide`](Self::logical_divide).
    pub fn tiled_divide(&self, tiler: impl IntoDynTiler) -> Result<DynLayout, LayoutError> {
        split_by("tiled_divide", self, tiler.into(), split, ResultForm::Tiled)
    }

    /// [`zipped_divide`](Self::zipped_divide) with tiles and rests unpacked.
    ///
    /// Law and example: [`LayoutAlgebra::flat_divide`](crate::LayoutAlgebra::flat_divide).
    ///
    /// # Errors
    /// Those of [`logical_divide`](Self::logical_divide).
    pub fn flat_divide(&self, tiler: impl IntoDynTiler) -> Result<DynLayout, LayoutError> {
        split_by("flat_divide", self, tiler.into(), split, ResultForm::Flat)
    }
}
