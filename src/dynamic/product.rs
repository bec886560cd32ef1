//! Products: repeat a layout.
//!
//! ```text
//! logical_product(A, T) = (A, A* o T)      A* = what A leaves free in an unbounded range
//! ```
//!
//! Mode 0 is `A`, and mode 1 counts disjoint copies of it as `T` counts. By mode with a tiler;
//! modes beyond its rank are kept.

use core::fmt::Display;

use super::by_mode::{ResultForm, split_by};
use super::compact::{left, ordered};
use super::complement::gaps;
use super::composition::{Composer, and_free, refused};
use super::flat::{DynMode, DynModes};
use super::kinds as mixed;
use super::kinds::DynStride;
use super::kinds::modes::{KindMode, KindModes};
use super::layout::{Draft, DynLayout, View};
use super::shape::{DynShape, product};
use super::sorted::OffsetSpan;
use super::tiler::{DynTiler, IntoDynTiler};
use super::tree;
use crate::error::{Fault, LayoutError};

/// `A*`: the gaps of `A`, then copies of the range that `A` spans, without end.
fn copies(layout: View<'_>) -> Result<Composer, Fault> {
    let mut modes = DynModes::new();
    Ok(match gaps(layout, false, &mut modes)? {
        OffsetSpan::Offsets(span) => {
            modes.push(DynMode::new(1, span));
            Composer::new(modes.into_iter())
        }
        // The copies of the whole range begin beyond `usize`; those in the gaps do not.
        OffsetSpan::BeyondUsize => Composer::all_bounded(modes.into_iter()),
    })
}

fn split(
    layout: View<'_>,
    tile: View<'_>,
    layout_draft: &mut Draft,
    copies_draft: &mut Draft,
) -> Result<(), Fault> {
    layout_draft.tree(layout);
    counted(layout, tile, |count| count(tile, copies_draft))
}

/// Appends what one part of a tile makes of a layout.
type Copies<'a> = dyn FnMut(View<'_>, &mut Draft) -> Result<(), Fault> + 'a;

/// Appends the copies of a layout that a tile counts; `all` composes with one part of the tile at a
/// time.
fn counted(
    layout: View<'_>,
    tile: View<'_>,
    all: impl FnOnce(&mut Copies<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    // A tile that does not move counts the first copy again and again, so that no other copy needs
    // room.
    let one =
        tile.shape.iter().zip(tile.stride).all(|(&extent, &stride)| extent == 1 || stride == 0);
    if tile.is_natural() && (one || layout.is_natural()) {
        let mut composer =
            if one { Composer::new(core::iter::once(DynMode::new(1, 0))) } else { copies(layout)? };
        all(&mut |count, draft| composer.tree(count, draft))?;
        return composer.finish();
    }
    let mut modes = KindModes::new();
    let span = if one {
        0
    } else {
        mixed::inverse::gaps(&layout.every_mode(), false, &mut modes)?.number()?
    };
    modes.push(KindMode::new(1, DynStride::Natural(span)));
    let (mut composed, _) = mixed::compose::compose(&modes, &tile.every_mode())?;
    all(&mut |count, draft| {
        draft.in_place_of(count, &mut composed);
        Ok(())
    })
}

/// The modes of both layouts side by side, the shorter one filled up with `1:0`.
fn pairs<'a>(a: View<'a>, b: View<'a>) -> impl Iterator<Item = (View<'a>, View<'a>)> {
    const ONE: View<'_> = View { profile: &[0], shape: &[1], stride: &[0], kinds: &[] };
    let rank = a.rank().max(b.rank());
    let fill = core::iter::repeat(ONE);
    a.modes().chain(fill.clone()).zip(b.modes().chain(fill)).take(rank)
}

/// Whether the block or the copies come first in each mode.
#[derive(Clone, Copy, PartialEq)]
enum ComesFirst {
    Block,
    Copies,
}

/// Mode i is `(A_i, copies_i)` or the other way round.
fn paired(block: View<'_>, tile: View<'_>, first: ComesFirst) -> Result<DynLayout, Fault> {
    let mut draft = Draft::new();
    draft.open(block.rank().max(tile.rank()));
    counted(block, tile, |append| {
        for (mode, count) in pairs(block, tile) {
            draft.open(2);
            if first == ComesFirst::Block {
                draft.tree(mode);
            }
            append(count, &mut draft)?;
            if first == ComesFirst::Copies {
                draft.tree(mode);
            }
        }
        Ok(())
    })?;
    draft.finish()
}

/// How often `block` fits into each mode of `shape`, in the modes of both.
fn repetitions(block: &DynLayout, shape: &DynShape) -> Result<DynShape, Fault> {
    // A view of the shape: its strides are not read.
    let shape =
        View { profile: &shape.profile, shape: &shape.leaves, stride: &shape.leaves, kinds: &[] };
    let mut draft = Draft::new();
    draft.open(block.rank().max(shape.rank()));
    for (want, have) in pairs(shape, block.view()) {
        let (extent, block) = (product(want.shape).ok_or(Fault::Overflow)?, have.size());
        let count = match block {
            0 if extent == 0 => 1,
            0 => return Err(Fault::Block { extent, block }),
            _ if extent % block == 0 => extent / block,
            _ => return Err(Fault::Block { extent, block }),
        };
        draft.leaf(DynMode::new(count, 0));
    }
    Ok(DynShape { profile: draft.profile, leaves: draft.shape })
}

fn tile_to_shape(
    block: &DynLayout,
    shape: &DynShape,
    order: Option<&DynShape>,
    text: &dyn Display,
) -> Result<DynLayout, LayoutError> {
    let refused = |fault| LayoutError::new("tile_to_shape", fault).with_operands(block, text);
    let counts = repetitions(block, shape).map_err(refused)?;
    let copies = match order {
        None => left(&counts).map_err(refused)?,
        Some(order) => {
            let (numbers, rank) = (&order.leaves, tree::rank(&counts.profile));
            let repeated = |k: usize| numbers[..k].contains(&numbers[k]);
            if rank > 1 && numbers.len() == 1 || (0..numbers.len()).any(repeated) {
                return Err(refused(Fault::NoPermutation { rank }));
            }
            ordered(&counts, order).map_err(refused)?
        }
    };
    paired(block.view(), copies.view(), ComesFirst::Block).map_err(|fault| match fault {
        // What is refused is said of the modes of the copies.
        Fault::Steps { .. } | Fault::Carry { .. } => LayoutError::new("tile_to_shape", fault)
            .with_operands(&and_free(block), &format_args!("{text} by the copies {copies}")),
        _ => refused(fault),
    })
}

impl DynLayout {
    /// Repeats this layout, or each mode of it, as the tiler counts.
    ///
    /// Law and example: [`LayoutAlgebra::logical_product`](crate::LayoutAlgebra::logical_product).
    ///
    /// # Errors
    /// `overlap` if a mode of `A` lies within the range of others, `divisibility` or `carry` if the
    /// copies are no layout, `rank` if a tuple has more modes than the layout, `overflow` if an
    /// offset leaves `usize`.
    pub fn logical_product(&self, tiler: impl IntoDynTiler) -> Result<DynLayout, LayoutError> {
        split_by("logical_product", self, tiler.into(), split, ResultForm::Logical)
    }

    /// [`logical_product`](Self::logical_product) with all blocks in mode 0 and all counts in mode 1.
    ///
    /// Law and example: [`LayoutAlgebra::zipped_product`](crate::LayoutAlgebra::zipped_product).
    ///
    /// # Errors
    /// Those of [`logical_product`](Self::logical_product).
    pub fn zipped_product(&self, tiler: impl IntoDynTiler) -> Result<DynLayout, LayoutError> {
        split_by("zipped_product", self, tiler.into(), split, ResultForm::Zipped)
    }

    /// [`zipped_product`](Self::zipped_product) with the counts unpacked.
    ///
    /// Law and example: [`LayoutAlgebra::tiled_product`](crate::LayoutAlgebra::tiled_product).
    ///
    /// # Errors
    /// Those of [`logical_product`](Self::logical_product).
    pub fn tiled_product(&self, tiler: impl IntoDynTiler) -> Result<DynLayout, LayoutError> {
        split_by("tiled_product", self, tiler.into(), split, ResultForm::Tiled)
    }

    /// [`zipped_product`](Self::zipped_product) with blocks and counts unpacked.
    ///
    /// Law and example: [`LayoutAlgebra::flat_product`](crate::LayoutAlgebra::flat_product).
    ///
    /// # Errors
    /// Those of [`logical_product`](Self::logical_product).
    pub fn flat_product(&self, tiler: impl IntoDynTiler) -> Result<DynLayout, LayoutError> {
        split_by("flat_product", self, tiler.into(), split, ResultForm::Flat)
    }

    /// Repeats this layout so that every copy is a block of neighbouring coordinates.
    ///
    /// Law and example: [`LayoutAlgebra::blocked_product`](crate::LayoutAlgebra::blocked_product).
    ///
    /// # Errors
    /// Those of [`logical_product`](Self::logical_product).
    pub fn blocked_product(&self, tile: &DynLayout) -> Result<DynLayout, LayoutError> {
        paired(self.view(), tile.view(), ComesFirst::Block)
            .map_err(|fault| refused("blocked_product", fault, self, &DynTiler::from(tile)))
    }

    /// Repeats this layout so that the copies interleave: a cyclic distribution.
    ///
    /// Law and example: [`LayoutAlgebra::raked_product`](crate::LayoutAlgebra::raked_product).
    ///
    /// # Errors
    /// Those of [`logical_product`](Self::logical_product).
    pub fn raked_product(&self, tile: &DynLayout) -> Result<DynLayout, LayoutError> {
        paired(self.view(), tile.view(), ComesFirst::Copies)
            .map_err(|fault| refused("raked_product", fault, self, &DynTiler::from(tile)))
    }

    /// Repeats this layout over `shape`, the first mode first.
    ///
    /// Law and example: [`LayoutAlgebra::tile_to_shape`](crate::LayoutAlgebra::tile_to_shape).
    ///
    /// # Errors
    /// `divisibility` if an extent of `shape` is no multiple of the block's, and those of
    /// [`blocked_product`](Self::blocked_product).
    pub fn tile_to_shape(&self, shape: &DynShape) -> Result<DynLayout, LayoutError> {
        tile_to_shape(self, shape, None, shape)
    }

    /// [`tile_to_shape`](Self::tile_to_shape) with the copies in the given order of modes: the
    /// least is the fastest.
    ///
    /// Law: the blocked product with [`ordered`](Self::ordered) copies. CuTe:
    /// `tile_to_shape(block, shape, order)`.
    ///
    /// # Errors
    /// Those of [`tile_to_shape`](Self::tile_to_shape); `profile` if `order` is no permutation: a
    /// different number for each mode.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let block: DynLayout = "(2,4):(4,1)".parse()?;
    /// let (shape, order) = ("(4,8)".parse()?, "(1,0)".parse()?);
    /// assert_eq!(
    ///     block.tile_to_shape_ordered(&shape, &order)?.to_string(),
    ///     "((2,2),(4,2)):((4,16),(1,8))"
    /// );
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn tile_to_shape_ordered(
        &self,
        shape: &DynShape,
        order: &DynShape,
    ) -> Result<DynLayout, LayoutError> {
        tile_to_shape(self, shape, Some(order), &format_args!("{shape} in the order {order}"))
    }
}
