//! Divides: cut a layout into tiles.
//!
//! ```text
//! logical_divide(A, T) = A o (T, complement(T, size A))      mode 0 is the tile, mode 1 counts tiles
//! ```
//!
//! The result runs over the same offsets as `A`, each as often. By mode with a tiler; modes beyond its rank are kept.

use super::by_mode::{Form, gathered, logical};
use super::complement::complement;
use super::composition::Composer;
use super::flat::Modes;
use super::layout::{Draft, DynLayout, View};
use super::tiler::IntoDynTiler;
use crate::error::{Fault, LayoutError};

/// `A o T` and `A o complement(T, size A)`, as one composition.
fn split(layout: View<'_>, tile: View<'_>, tile_draft: &mut Draft, rest_draft: &mut Draft) -> Result<(), Fault> {
    let mut rest = Modes::new();
    complement(tile, layout.size(), &mut rest)?;
    let mut composer = Composer::new(layout.flat());
    composer.tree(tile, tile_draft)?;
    composer.modes(&rest, rest_draft)?;
    composer.finish()
}

impl DynLayout {
    /// Cuts the layout, or each mode of it, into tiles and the rest that counts them.
    ///
    /// Law: `A o (T, complement(T, size A))`; the same offsets as `A`, each as often. CuTe: `logical_divide`.
    ///
    /// # Errors
    /// Those of [`complement`](Self::complement) for the tile and of [`compose`](Self::compose); `rank` if a tuple has more
    /// modes than the layout.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("12:1".parse::<DynLayout>()?.logical_divide(4)?.to_string(), "(4,3):(1,4)");
    /// let l: DynLayout = "(4,6):(1,4)".parse()?;
    /// let t: DynTiler = "<2,3>".parse()?;
    /// assert_eq!(l.logical_divide(&t)?.to_string(), "((2,2),(3,2)):((1,2),(4,12))");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn logical_divide(&self, tiler: impl IntoDynTiler) -> Result<DynLayout, LayoutError> {
        let tiler = tiler.into();
        Draft::build(
            |draft| logical(self.view(), &tiler, split, draft),
            |fault| LayoutError::new("logical_divide", fault).with_operands(self, &tiler),
        )
    }

    /// [`logical_divide`](Self::logical_divide) with all tiles in mode 0 and all rests in mode 1.
    ///
    /// Law: `((T0,T1,..),(R0,R1,..,L))` for the logical `((T0,R0),(T1,R1),..,L)`. CuTe: `zipped_divide`.
    ///
    /// # Errors
    /// Those of [`logical_divide`](Self::logical_divide).
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let l: DynLayout = "(4,6):(1,4)".parse()?;
    /// let t: DynTiler = "<2,3>".parse()?;
    /// assert_eq!(l.zipped_divide(&t)?.to_string(), "((2,3),(2,2)):((1,4),(2,12))");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn zipped_divide(&self, tiler: impl IntoDynTiler) -> Result<DynLayout, LayoutError> {
        let tiler = tiler.into();
        Draft::build(
            |draft| gathered(self.view(), &tiler, split, Form::Zipped, draft),
            |fault| LayoutError::new("zipped_divide", fault).with_operands(self, &tiler),
        )
    }

    /// [`zipped_divide`](Self::zipped_divide) with the rests unpacked.
    ///
    /// Law: `((T0,T1,..),R0,R1,..,L)`. CuTe: `tiled_divide`.
    ///
    /// # Errors
    /// Those of [`logical_divide`](Self::logical_divide).
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let l: DynLayout = "(4,6):(1,4)".parse()?;
    /// let t: DynTiler = "<2,3>".parse()?;
    /// assert_eq!(l.tiled_divide(&t)?.to_string(), "((2,3),2,2):((1,4),2,12)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn tiled_divide(&self, tiler: impl IntoDynTiler) -> Result<DynLayout, LayoutError> {
        let tiler = tiler.into();
        Draft::build(
            |draft| gathered(self.view(), &tiler, split, Form::Tiled, draft),
            |fault| LayoutError::new("tiled_divide", fault).with_operands(self, &tiler),
        )
    }

    /// [`zipped_divide`](Self::zipped_divide) with tiles and rests unpacked.
    ///
    /// Law: `(T0,T1,..,R0,R1,..,L)`. CuTe: `flat_divide`.
    ///
    /// # Errors
    /// Those of [`logical_divide`](Self::logical_divide).
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let l: DynLayout = "(4,6):(1,4)".parse()?;
    /// let t: DynTiler = "<2,3>".parse()?;
    /// assert_eq!(l.flat_divide(&t)?.to_string(), "(2,3,2,2):(1,4,2,12)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn flat_divide(&self, tiler: impl IntoDynTiler) -> Result<DynLayout, LayoutError> {
        let tiler = tiler.into();
        Draft::build(
            |draft| gathered(self.view(), &tiler, split, Form::Flat, draft),
            |fault| LayoutError::new("flat_divide", fault).with_operands(self, &tiler),
        )
    }
}
