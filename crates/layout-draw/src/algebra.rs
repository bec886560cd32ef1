//! Operands and result of an operation: an element has the same colour in all of them.
//!
//! ```text
//! R = A o B      R(c) = A(B(c)): c in R, B(c) as an offset of B, and B(c) as a coordinate of A
//! R = A / T      (position in the tile, tile) in R, and the corresponding coordinate of A
//! R = A * T      the copy of A, in R and in T
//! ```

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use layout_algebra::{DynLayout, DynTiler, Fault, Layout as _, LayoutError};

use crate::color::Scale;
use crate::drawn::{Divided, Drawn, Plain, RunTimeLayout};
use crate::grid::offsets;
use crate::panel::{Panel, few_enough};
use crate::picture::Picture;

/// See [`draw_composition`](crate::Draw::draw_composition).
pub(crate) fn composition(
    left: &(impl Drawn<Dynamic: Divided> + ?Sized),
    right: DynTiler,
) -> Result<Picture, LayoutError> {
    let left = left.to_dynamic();
    let (result, places) = (left.composed(&right)?, numbers(&left).compose(&right)?);
    let panels = || {
        // An offset beyond its mode has no coordinate, and its index would be that of another one.
        if let Some((cosize, size)) = reach_beyond(&right, &numbers(&left)) {
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

/// See [`draw_division`](crate::Draw::draw_division).
pub(crate) fn logical_division(
    left: &(impl Drawn<Dynamic: Divided> + ?Sized),
    tiler: DynTiler,
) -> Result<Picture, LayoutError> {
    let left = left.to_dynamic();
    let (result, places) = (left.divided(&tiler)?, numbers(&left).logical_divide(&tiler)?);
    division(&left, &tiler, "logical_divide", &result, &places)
}

/// See [`draw_zipped_division`](crate::Draw::draw_zipped_division).
pub(crate) fn zipped_division(
    left: &(impl Drawn<Dynamic: Divided> + ?Sized),
    tiler: DynTiler,
) -> Result<Picture, LayoutError> {
    let left = left.to_dynamic();
    let (result, places) = (left.zipped(&tiler)?, numbers(&left).zipped_divide(&tiler)?);
    division(&left, &tiler, "zipped_divide", &result, &places)
}

/// A layout, and the layout in tiles, whose offsets are indices of its coordinates.
fn division<L: RunTimeLayout>(
    left: &L,
    tiler: &DynTiler,
    operation: &'static str,
    result: &L,
    places: &DynLayout,
) -> Result<Picture, LayoutError> {
    let zipped = numbers(left).zipped_divide(tiler)?;
    let tile = zipped.mode(0)?;
    let panels = || {
        // A tile larger than the layout reaches beyond it.
        let mut which = vec![None; few_enough(zipped.cosize().max(left.size()))?];
        for c in 0..few_enough(zipped.size())? {
            which[zipped.index(c)] = Some(c / tile.size());
        }
        let hues = |_| Scale::Hues;
        Ok(vec![
            offsets(format!("A = {left}"), left, hues, |i, _| which[i])?,
            offsets(title("T", tiler, &tile), &tile, hues, |_, _| Some(0))?,
            offsets(format!("{operation} = {result}"), result, hues, |c, _| {
                which[places.index(c)]
            })?,
        ])
    };
    picture(format!("({left}) / {tiler}"), panels(), operation, left, tiler)
}

/// A product of `A` and `T`, and the arrangement of its modes.
type Product = fn(&DynLayout, &DynLayout) -> Result<DynLayout, LayoutError>;

/// See [`draw_product`](crate::Draw::draw_product).
pub(crate) fn zipped_product(
    left: &(impl Plain + ?Sized),
    grid: &(impl Plain + ?Sized),
) -> Result<Picture, LayoutError> {
    product(left.to_dynamic(), grid.to_dynamic(), "zipped_product", |left, grid| {
        left.zipped_product(grid)
    })
}

/// See [`draw_blocked_product`](crate::Draw::draw_blocked_product).
pub(crate) fn blocked_product(
    left: &(impl Plain + ?Sized),
    grid: &(impl Plain + ?Sized),
) -> Result<Picture, LayoutError> {
    product(left.to_dynamic(), grid.to_dynamic(), "blocked_product", DynLayout::blocked_product)
}

/// See [`draw_raked_product`](crate::Draw::draw_raked_product).
pub(crate) fn raked_product(
    left: &(impl Plain + ?Sized),
    grid: &(impl Plain + ?Sized),
) -> Result<Picture, LayoutError> {
    product(left.to_dynamic(), grid.to_dynamic(), "raked_product", DynLayout::raked_product)
}

fn product(
    left: DynLayout,
    grid: DynLayout,
    operation: &'static str,
    arranged: Product,
) -> Result<Picture, LayoutError> {
    let (result, copies) = (arranged(&left, &grid)?, left.zipped_product(&grid)?);
    let panels = || {
        copies.fault().map_or(Ok(()), Err)?;
        let mut which = vec![None; few_enough(copies.cosize())?];
        for c in 0..few_enough(copies.size())? {
            which[copies.index(c)] = Some(c / left.size());
        }
        let hues = |_| Scale::Hues;
        Ok(vec![
            offsets(format!("A = {left}"), &left, hues, |_, _| Some(0))?,
            offsets(format!("T = {grid}"), &grid, hues, |i, _| Some(i))?,
            offsets(format!("{operation} = {result}"), &result, hues, |_, offset| which[offset])?,
        ])
    };
    picture(format!("({left}) x ({grid})"), panels(), operation, &left, &DynTiler::from(&grid))
}

/// An entry of a by-mode tiler that exceeds its mode: the entry's cosize, and the mode's size.
fn reach_beyond(tiler: &DynTiler, layout: &DynLayout) -> Option<(usize, usize)> {
    layout.modes().zip(tiler.children()).find_map(|(mode, entry)| match entry.as_layout() {
        Some(tile) => (tile.cosize() > mode.size()).then(|| (tile.cosize(), mode.size())),
        None => reach_beyond(&entry, &mode),
    })
}

/// The layout from coordinates to their indices.
fn numbers(layout: &impl RunTimeLayout) -> DynLayout {
    DynLayout::left(&layout.shape())
}

/// The label of an operand: its text, and the layout that it stands for if that is another one.
fn title(name: &str, tiler: &DynTiler, layout: &DynLayout) -> String {
    let (tiler, layout) = (tiler.to_string(), layout.to_string());
    if tiler == layout {
        format!("{name} = {tiler}")
    } else {
        format!("{name} = {tiler}: {layout}")
    }
}

fn picture(
    title: String,
    panels: Result<Vec<Panel>, Fault>,
    operation: &'static str,
    left: &impl RunTimeLayout,
    right: &DynTiler,
) -> Result<Picture, LayoutError> {
    let picture = panels.map(|panels| Picture::row(title, panels));
    picture.map_err(|fault| LayoutError::new(operation, fault).with_operands(left, right))
}
