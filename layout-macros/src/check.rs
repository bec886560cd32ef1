//! The rules between numbers: extents of at least 1, sizes within 2^63, cosizes below 2^64,
//! congruent strides; and compact strides.
//!
//! A macro does not know the target that it expands for. What fits 64 bits and not 32 is found here
//! all the same, and the expansion hands it to the library, which knows.

use crate::error::{Result, SyntaxError};
use crate::number::MAX;
use crate::parse::{Layout, Leaf, LeafKind, Mode, Stride, Tree};

/// Checks a layout, and writes out the strides of a compact one where its leaves are all numbers or
/// `_`.
pub(crate) fn layout(Layout { mut shape, stride }: Layout) -> Result<Layout> {
    mark_extents(&mut shape);
    let leaves = leaves(&shape);
    extents(&leaves)?;
    size(&shape, &leaves)?;
    let computed = match &stride {
        Stride::Left => compact(&leaves, Order::Left),
        Stride::Right => compact(&leaves, Order::Right),
        Stride::Given(given) => {
            congruent(&shape, given)?;
            cosize(&shape, given)?;
            None
        }
    };
    let stride = match computed {
        Some(strides) => Stride::Given(rebuild(&shape, &mut strides.into_iter())),
        None => stride,
    };
    Ok(Layout { shape, stride })
}

/// Checks each mode of a tiler.
pub(crate) fn tiler(modes: Vec<Mode>) -> Result<Vec<Mode>> {
    let check = |mode| {
        Ok(match mode {
            Mode::Keep => Mode::Keep,
            Mode::Leaf(mut leaf) => {
                leaf.is_extent = true;
                extents(&[&leaf])?;
                Mode::Leaf(leaf)
            }
            Mode::Layout(inner) => Mode::Layout(layout(inner)?),
            Mode::Tiler(inner) => Mode::Tiler(tiler(inner)?),
        })
    };
    modes.into_iter().map(check).collect()
}

/// Is a stride negative?
pub(crate) fn is_signed(strides: &Tree) -> bool {
    leaves(strides).into_iter().any(|leaf| leaf.negative)
}

/// Are all leaves integers, or constants in braces?
pub(crate) fn is_static(tree: &Tree) -> bool {
    leaves(tree)
        .into_iter()
        .all(|leaf| matches!(leaf.kind, LeafKind::Number(_) | LeafKind::Constant(_)))
}

/// The leaves of a tree, left to right.
fn leaves(tree: &Tree) -> Vec<&Leaf> {
    match tree {
        Tree::Leaf(leaf) => vec![leaf],
        Tree::Tuple(trees, _) => trees.iter().flat_map(leaves).collect(),
    }
}

/// The leaves of a shape are extents, which rustc checks where they are constants.
fn mark_extents(shape: &mut Tree) {
    match shape {
        Tree::Leaf(leaf) => leaf.is_extent = true,
        Tree::Tuple(trees, _) => trees.iter_mut().for_each(mark_extents),
    }
}

/// No extent is 0.
fn extents(leaves: &[&Leaf]) -> Result<()> {
    match leaves.iter().find(|leaf| matches!(leaf.kind, LeafKind::Number(0))) {
        Some(zero) => Err(SyntaxError::new(
            "an extent of 0: every mode of a shape has at least 1 element",
            zero.spot,
        )),
        None => Ok(()),
    }
}

/// The static extents multiply to at most 2^63, for a size is a static integer, too.
fn size(shape: &Tree, leaves: &[&Leaf]) -> Result<()> {
    match passing_size(leaves, u128::from(MAX)) {
        None => Ok(()),
        Some((_, leaf)) => {
            let message = format!(
                "the shape {} has more than 2^63 elements: at this extent the size passes it",
                text(shape)
            );
            Err(SyntaxError::new(message, leaf.spot))
        }
    }
}

/// The first leaf with which the product of the static extents passes `limit`, and that product.
fn passing_size<'a>(leaves: &[&'a Leaf], limit: u128) -> Option<(u128, &'a Leaf)> {
    let mut size = 1u128;
    for leaf in leaves {
        let LeafKind::Number(extent) = leaf.kind else { continue };
        // Both factors are below 2^64.
        size *= u128::from(extent);
        if size > limit {
            return Some((size, leaf));
        }
    }
    None
}

/// The static modes reach less than 2^64 elements: a cosize is a `usize`. The stride is congruent
/// to the shape.
fn cosize(shape: &Tree, strides: &Tree) -> Result<()> {
    match passing_cosize(shape, strides, u128::from(u64::MAX)) {
        None => Ok(()),
        Some((_, leaf)) => {
            let message = format!(
                "the layout {}:{} reaches 2^64 elements or more: with this stride it passes them",
                text(shape),
                text(strides)
            );
            Err(SyntaxError::new(message, leaf.spot))
        }
    }
}

/// The first stride with which the static modes reach more than `limit` elements, and how many.
fn passing_cosize<'a>(shape: &Tree, strides: &'a Tree, limit: u128) -> Option<(u128, &'a Leaf)> {
    let mut cosize = 1u128;
    for (extent, step) in leaves(shape).into_iter().zip(leaves(strides)) {
        let (LeafKind::Number(extent), LeafKind::Number(stride)) = (&extent.kind, &step.kind)
        else {
            continue;
        };
        // Each product is below 2^126, and the sum so far below 2^64. A number alone may be an
        // extent of 0, of a shape.
        cosize += u128::from(extent.saturating_sub(1)) * u128::from(*stride);
        if cosize > limit {
            return Some((cosize, step));
        }
    }
    None
}

// ---- what fits 64 bits and not 32 ---------------------------------------------------------------

/// The largest `usize` of 32 bits.
const NARROW: u64 = u32::MAX as u64;

/// The first number of a layout, its size or its cosize that a `usize` of 32 bits does not hold, if
/// there is one.
pub(crate) fn wide_layout(Layout { shape, stride }: &Layout) -> Option<SyntaxError> {
    if let Some(wide) = wide_tree(shape) {
        return Some(wide);
    }
    if let Some((size, leaf)) = passing_size(&leaves(shape), u128::from(NARROW)) {
        let what = format!("the shape {} has {size} elements or more", text(shape));
        return Some(too_wide(&what, leaf));
    }
    let Stride::Given(strides) = stride else { return None };
    if let Some(wide) = wide_tree(strides) {
        return Some(wide);
    }
    let (cosize, leaf) = passing_cosize(shape, strides, u128::from(NARROW))?;
    let what =
        format!("the layout {}:{} reaches {cosize} elements or more", text(shape), text(strides));
    Some(too_wide(&what, leaf))
}

/// The first number of a tree that a `usize` of 32 bits does not hold.
pub(crate) fn wide_tree(tree: &Tree) -> Option<SyntaxError> {
    leaves(tree).into_iter().find_map(wide_leaf)
}

/// The same of a number alone.
pub(crate) fn wide_leaf(leaf: &Leaf) -> Option<SyntaxError> {
    match leaf.kind {
        LeafKind::Number(number) if number > NARROW => {
            Some(too_wide(&format!("the number is {number}"), leaf))
        }
        _ => None,
    }
}

/// The same of a tiler.
pub(crate) fn wide_tiler(modes: &[Mode]) -> Option<SyntaxError> {
    modes.iter().find_map(|mode| match mode {
        Mode::Keep => None,
        Mode::Leaf(leaf) => wide_leaf(leaf),
        Mode::Layout(layout) => wide_layout(layout),
        Mode::Tiler(modes) => wide_tiler(modes),
    })
}

fn too_wide(what: &str, leaf: &Leaf) -> SyntaxError {
    let message = format!("{what}, and on a target of 32 bits the largest number is {NARROW}");
    SyntaxError::new(message, leaf.spot)
}

/// Shape and stride have the same tree profile.
fn congruent(shape: &Tree, stride: &Tree) -> Result<()> {
    let Some(at) = difference(shape, stride) else { return Ok(()) };
    let message = format!(
        "the shape {} and the stride {} are not congruent: shape profile {}, stride profile {}",
        text(shape),
        text(stride),
        profile(shape),
        profile(stride)
    );
    let spot = match at {
        Tree::Leaf(leaf) => leaf.spot,
        Tree::Tuple(_, spot) => *spot,
    };
    Err(SyntaxError::new(message, spot))
}

/// The first sub-tree of the stride whose rank differs from that of its counterpart in the shape.
fn difference<'a>(shape: &Tree, stride: &'a Tree) -> Option<&'a Tree> {
    match (shape, stride) {
        (Tree::Leaf(_), Tree::Leaf(_)) => None,
        (Tree::Tuple(shapes, _), Tree::Tuple(strides, _)) if shapes.len() == strides.len() => {
            shapes.iter().zip(strides).find_map(|(shape, stride)| difference(shape, stride))
        }
        _ => Some(stride),
    }
}

fn profile(tree: &Tree) -> String {
    show(tree, &|_| "*".to_string())
}

fn text(tree: &Tree) -> String {
    show(tree, &leaf_text)
}

fn leaf_text(leaf: &Leaf) -> String {
    let sign = if leaf.negative { "-" } else { "" };
    match &leaf.kind {
        LeafKind::Number(number) => format!("{sign}{number}"),
        LeafKind::Dynamic => format!("{sign}_"),
        LeafKind::Constant(tokens) => format!("{sign}{{{tokens}}}"),
        LeafKind::Code(tokens) => format!("{sign}{tokens}"),
    }
}

fn show(tree: &Tree, leaf: &dyn Fn(&Leaf) -> String) -> String {
    match tree {
        Tree::Leaf(it) => leaf(it),
        Tree::Tuple(trees, _) => {
            let trees: Vec<_> = trees.iter().map(|tree| show(tree, leaf)).collect();
            format!("({})", trees.join(","))
        }
    }
}

/// The compact strides of a shape, leaf by leaf; `None` when only rustc knows whether a leaf is
/// static.
fn compact(leaves: &[&Leaf], order: Order) -> Option<Vec<LeafKind>> {
    let known = leaves.iter().map(|leaf| match leaf.kind {
        LeafKind::Number(extent) => Some(Some(extent)),
        LeafKind::Dynamic => Some(None),
        LeafKind::Constant(_) | LeafKind::Code(_) => None,
    });
    let extents: Vec<_> = known.collect::<Option<_>>()?;
    Some(
        compact_strides(&extents, order)
            .into_iter()
            .map(|d| d.map_or(LeafKind::Dynamic, LeafKind::Number))
            .collect(),
    )
}

/// Which mode is the fastest: the first or the last.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    Left,
    Right,
}

/// The stride of a mode is the product of the extents of the faster ones; `None` is a number known
/// at run time.
///
/// A mode of extent 1 gets stride 0, since it never moves. The extents multiply to at most 2^63.
fn compact_strides(extents: &[Option<u64>], order: Order) -> Vec<Option<u64>> {
    let mut strides = vec![None; extents.len()];
    let mut product = Some(1);
    for fastness in 0..extents.len() {
        let i = if order == Order::Left { fastness } else { extents.len() - 1 - fastness };
        strides[i] = if extents[i] == Some(1) { Some(0) } else { product };
        product = product.zip(extents[i]).map(|(product, extent)| product * extent);
    }
    strides
}

/// A tree of the profile of `like`, with `kinds` as its leaves.
fn rebuild(like: &Tree, kinds: &mut impl Iterator<Item = LeafKind>) -> Tree {
    match like {
        Tree::Leaf(leaf) => {
            let kind = kinds.next().expect("as many kinds as leaves");
            Tree::Leaf(Leaf { negative: false, is_extent: false, kind, spot: leaf.spot })
        }
        Tree::Tuple(trees, spot) => {
            Tree::Tuple(trees.iter().map(|tree| rebuild(tree, kinds)).collect(), *spot)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compact_strides_by_the_book() {
        let n = None;
        for (extents, left, right) in [
            (vec![Some(4)], vec![Some(1)], vec![Some(1)]),
            (vec![Some(4), Some(6)], vec![Some(1), Some(4)], vec![Some(6), Some(1)]),
            (
                vec![Some(4), Some(1), Some(6)],
                vec![Some(1), Some(0), Some(4)],
                vec![Some(6), Some(0), Some(1)],
            ),
            (vec![Some(1), Some(1)], vec![Some(0), Some(0)], vec![Some(0), Some(0)]),
            // A stride is static until a run-time extent has gone by; an extent of 1 is static even
            // then.
            (vec![Some(4), n, Some(6)], vec![Some(1), Some(4), n], vec![n, Some(6), Some(1)]),
            (vec![n, Some(1), Some(6)], vec![Some(1), Some(0), n], vec![Some(6), Some(0), Some(1)]),
            (vec![Some(2), Some(MAX / 2)], vec![Some(1), Some(2)], vec![Some(MAX / 2), Some(1)]),
        ] {
            assert_eq!(compact_strides(&extents, Order::Left), left, "{extents:?} left");
            assert_eq!(compact_strides(&extents, Order::Right), right, "{extents:?} right");
        }
    }
}
