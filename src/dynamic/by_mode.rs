//! What divides and products share: applying a tiler mode by mode, and the four forms of the
//! result.
//!
//! Each splits a mode `m` by a layout `t` into a tile `T` and a rest `R`. For `<t0,t1>` on modes
//! `m0, m1, m2`:
//!
//! ```text
//! logical    ((T0,R0),(T1,R1),m2)
//! zipped     ((T0,T1),(R0,R1,m2))
//! tiled      ((T0,T1),R0,R1,m2)
//! flat       (T0,T1,R0,R1,m2)
//! ```
//!
//! The logical form keeps a mode that the tiler leaves alone; in the other forms the whole mode is
//! the tile, and its rest is `1:0`.

use super::composition::refused;
use super::flat::DynMode;
use super::layout::{Draft, DynLayout, View};
use super::tiler::{DynTiler, Item, Items};
use super::tree;
use crate::error::{Fault, LayoutError};

/// Splits a layout by a tile, appending the tile to one draft and the rest to another.
pub(crate) type SplitByTile = fn(View<'_>, View<'_>, &mut Draft, &mut Draft) -> Result<(), Fault>;

fn check_rank(tiler: usize, layout: View<'_>) -> Result<(), Fault> {
    let layout = layout.rank();
    if tiler > layout { Err(Fault::TilerRank { tiler, layout }) } else { Ok(()) }
}

fn logical_into(
    layout: View<'_>,
    tiler: &mut Items<'_>,
    split: SplitByTile,
    draft: &mut Draft,
) -> Result<(), Fault> {
    match tiler.node() {
        Item::Keep => draft.kept(layout),
        Item::Number(tile) | Item::Layout(tile) => {
            let mut rest = Draft::new();
            draft.open(2);
            split(layout, tile, draft, &mut rest)?;
            draft.tree(rest.view());
        }
        Item::Tuple(rank) => {
            check_rank(rank, layout)?;
            draft.open(layout.rank());
            for (index, mode) in layout.modes().enumerate() {
                if index < rank {
                    logical_into(mode, tiler, split, draft)?;
                } else {
                    draft.kept(mode);
                }
            }
        }
    }
    Ok(())
}

fn zipped_into(
    layout: View<'_>,
    tiler: &mut Items<'_>,
    split: SplitByTile,
    tile: &mut Draft,
    rest: &mut Draft,
) -> Result<(), Fault> {
    match tiler.node() {
        Item::Keep => {
            tile.kept(layout);
            rest.leaf(DynMode::new(1, 0));
        }
        Item::Number(right) | Item::Layout(right) => split(layout, right, tile, rest)?,
        Item::Tuple(rank) => {
            check_rank(rank, layout)?;
            tile.open(rank);
            rest.open(layout.rank());
            for (index, mode) in layout.modes().enumerate() {
                if index < rank {
                    zipped_into(mode, tiler, split, tile, rest)?;
                } else {
                    tile.parts.join(mode.parts());
                    rest.tree(mode);
                }
            }
        }
    }
    Ok(())
}

/// The form of the result: where its tiles and rests stand.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum ResultForm {
    /// Each mode at its place.
    Logical,
    /// `(tile, rest)`
    Zipped,
    /// `(tile, rest0, rest1, ..)`
    Tiled,
    /// `(tile0, tile1, .., rest0, rest1, ..)`
    Flat,
}

/// The layout split by a tiler, as `form` says, or the error of the operation `name`.
pub(crate) fn split_by(
    name: &'static str,
    layout: &DynLayout,
    tiler: DynTiler,
    split: SplitByTile,
    form: ResultForm,
) -> Result<DynLayout, LayoutError> {
    Draft::build(
        |draft| match form {
            ResultForm::Logical => logical_into(layout.view(), &mut tiler.items(), split, draft),
            _ => gathered(layout.view(), &tiler, split, form, draft),
        },
        |fault| refused(name, fault, layout, &tiler),
    )
}

/// All tiles in one mode, all rests in the other, or unpacked as `form` says.
fn gathered(
    layout: View<'_>,
    tiler: &DynTiler,
    split: SplitByTile,
    form: ResultForm,
    whole: &mut Draft,
) -> Result<(), Fault> {
    if form == ResultForm::Zipped && matches!(tiler.items().node(), Item::Keep) {
        whole.tree(layout);
        return Ok(());
    }
    // The tile is written at its final place, after the node of the tuple, whose rank is known only
    // at the end.
    let mut rest = Draft::new();
    whole.open(2);
    match tiler.items().node() {
        // A layout left alone has to be the pair itself.
        Item::Keep if layout.rank() != 2 => {
            return Err(Fault::Rank { needed: 2, rank: layout.rank() });
        }
        Item::Keep => {
            let mut modes = layout.modes();
            modes.next().into_iter().for_each(|mode| whole.tree(mode));
            modes.next().into_iter().for_each(|mode| rest.tree(mode));
        }
        _ => zipped_into(layout, &mut tiler.items(), split, whole, &mut rest)?,
    }
    let mut rank = 2;
    if form == ResultForm::Flat && whole.profile[1] != 0 {
        rank += tree::rank(&whole.profile[1..]) - 1;
        whole.profile.remove(1);
    }
    let mut rest_profile = &rest.profile[..];
    if form != ResultForm::Zipped && rest_profile[0] != 0 {
        rank += tree::rank(rest_profile) - 1;
        rest_profile = &rest_profile[1..];
    }
    whole.profile[0] = tree::arity(rank);
    tree::append(&mut whole.profile, rest_profile);
    whole.kinds.append(whole.shape.len(), rest.kinds.as_slice(), rest.shape.len());
    tree::append(&mut whole.shape, &rest.shape);
    tree::append(&mut whole.stride, &rest.stride);
    Ok(())
}
