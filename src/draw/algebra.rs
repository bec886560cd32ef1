//! Operands beside the result: an element has one colour in all of them.
//!
//! ```text
//! R = A o B      R(c) = A(B(c)): c in R, B(c) as an offset of B, and B(c) as a coordinate of A
//! R = A / T      (place in the tile, which tile) in R, and the coordinate of A where it comes from
//! ```

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::color::Scale;
use super::drawn::Plain;
use super::grid::offsets;
use super::panel::{Panel, few_enough};
use super::picture::Picture;
use crate::dynamic::{DynLayout, DynTiler, IntoDynTiler};
use crate::error::{Fault, LayoutError};

/// `A`, `B` and the composition `A o B`. The coordinate of `A` that an element comes from has its colour, and so has
/// the place in `B` that leads there; what `B` does not reach stays blank in `A`.
///
/// # Errors
/// Those of [`DynLayout::compose`]; `rank` where one of the three has more than two modes, `bounds` where an entry of a
/// tiler reaches beyond its mode, or for more than 262,144 cells.
///
/// ```
/// use layout_algebra::draw;
/// use layout_algebra::prelude::*;
/// let picture = draw::composition(&layout!((4, 6):(1, 4)), layout!((2, 3):(2, 8)))?;
/// assert!(picture.table().to_string().contains("\nA o B = (2,3):(2,8)\n"));
/// let error = draw::composition(&layout!((4, 6):(1, 5)), layout!(5:3)).unwrap_err();
/// assert_eq!(error.operation(), "compose");
/// # Ok::<(), LayoutError>(())
/// ```
pub fn composition(left: &impl Plain, right: impl IntoDynTiler) -> Result<Picture, LayoutError> {
    let (left, right) = (left.to_dynamic(), right.into());
    let (result, places) = (left.compose(&right)?, numbers(&left).compose(&right)?);
    let panels = || {
        // Beyond its mode a place has no coordinate, and its number is that of another one.
        if let Some((cosize, size)) = right.reach_beyond(&left) {
            return Err(Fault::Tile { cosize, size });
        }
        let number = |c: usize, _| Some(places.index(c));
        let mut reached = vec![None; few_enough(left.size())?];
        for place in (0..few_enough(places.size())?).map(|c| places.index(c)) {
            if let Some(reached) = reached.get_mut(place) {
                *reached = Some(place);
            }
        }
        let most = left.size().max(places.cosize()).saturating_sub(1);
        let scale = |_| Scale::Ramp { most };
        Ok(vec![
            offsets(format!("A = {left}"), &left, scale, |i, _| reached[i])?,
            offsets(title("B", &right, &places), &places, scale, number)?,
            offsets(format!("A o B = {result}"), &result, scale, number)?,
        ])
    };
    picture(format!("({left}) o ({right})"), panels(), "compose", &left, &right)
}

/// `A`, the tile `T`, and `A` divided by it: a row for each place in the tile, a column for each tile, as
/// [`DynLayout::zipped_divide`] has them. Each tile has a hue, in `A` and in the result.
///
/// # Errors
/// Those of [`DynLayout::zipped_divide`]; `rank` where the layout or the tile has more than two modes, `bounds` for
/// more than 262,144 cells.
///
/// ```
/// use layout_algebra::draw;
/// use layout_algebra::prelude::*;
/// let picture = draw::division(&layout!((4, 6):(1, 4)), tiler!(2, 3))?;
/// assert!(picture.table().to_string().contains("\nA / T = ((2,3),(2,2)):((1,4),(2,12))\n"));
/// # Ok::<(), LayoutError>(())
/// ```
pub fn division(left: &impl Plain, tiler: impl IntoDynTiler) -> Result<Picture, LayoutError> {
    let (left, tiler) = (left.to_dynamic(), tiler.into());
    let (result, places) = (left.zipped_divide(&tiler)?, numbers(&left).zipped_divide(&tiler)?);
    let tile = places.mode(0)?;
    let panels = || {
        let mut which = vec![None; few_enough(left.size())?];
        for c in 0..few_enough(places.size())? {
            // A tile larger than the layout reaches beyond it.
            if let Some(which) = which.get_mut(places.index(c)) {
                *which = Some(c / tile.size());
            }
        }
        let hues = |_| Scale::Hues;
        Ok(vec![
            offsets(format!("A = {left}"), &left, hues, |i, _| which[i])?,
            offsets(title("T", &tiler, &tile), &tile, hues, |_, _| Some(0))?,
            offsets(format!("A / T = {result}"), &result, hues, |c, _| Some(c / tile.size()))?,
        ])
    };
    picture(format!("({left}) / {tiler}"), panels(), "zipped_divide", &left, &tiler)
}

/// The numbers of the coordinates of a layout, as offsets.
fn numbers(layout: &DynLayout) -> DynLayout {
    DynLayout::left(&layout.shape())
}

/// What an operand is called, as it was written, and as a layout where that is another one.
fn title(name: &str, tiler: &DynTiler, layout: &DynLayout) -> String {
    let (tiler, layout) = (tiler.to_string(), layout.to_string());
    if tiler == layout { format!("{name} = {tiler}") } else { format!("{name} = {tiler}: {layout}") }
}

fn picture(
    title: String,
    panels: Result<Vec<Panel>, Fault>,
    operation: &'static str,
    left: &DynLayout,
    right: &DynTiler,
) -> Result<Picture, LayoutError> {
    let picture = panels.map(|panels| Picture::row(title, panels));
    picture.map_err(|fault| LayoutError::new(operation, fault).with_operands(left, right))
}
