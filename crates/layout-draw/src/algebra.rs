//! Operands beside the result: an element has one colour in all of them.
//!
//! ```text
//! R = A o B      R(c) = A(B(c)): c in R, B(c) as an offset of B, and B(c) as a coordinate of A
//! R = A / T      (place in the tile, which tile) in R, and the coordinate of A where it comes from
//! R = A * T      which copy of A, in R and in T
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
        // Beyond its mode a place has no coordinate, and its number is that of another one.
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

/// A layout, and the same in tiles, whose places are numbers of its coordinates.
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

/// A product of `A` and `T`, and how its modes are arranged.
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

/// Of a tiler that goes mode by mode, an entry that reaches beyond the mode that it is for: what it
/// reaches, and the mode's size.
fn reach_beyond(tiler: &DynTiler, layout: &DynLayout) -> Option<(usize, usize)> {
    layout.modes().zip(tiler.children()).find_map(|(mode, entry)| match entry.as_layout() {
        Some(tile) => (tile.cosize() > mode.size()).then(|| (tile.cosize(), mode.size())),
        None => reach_beyond(&entry, &mode),
    })
}

/// The numbers of the coordinates of a layout, as offsets.
fn numbers(layout: &impl RunTimeLayout) -> DynLayout {
    DynLayout::left(&layout.shape())
}

/// What an operand is called, as it was written, and as a layout where that is another one.
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
