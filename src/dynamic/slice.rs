//! Slices: fix some modes, keep the others, whole or in part. Windows: a shape within the layout,
//! from a coordinate on.
//!
//! ```text
//! (R, o) = slice(L, c)      R(x) + o = L(c with x in the place of `_`, and a + x in that of a..b)
//! (W, o) = window(L, a, S)  W(c) + o = L(a + c)     c within S
//! ```

use core::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use smallvec::SmallVec;

use super::coordinate::digits;
use super::flat::DynMode;
use super::kinds::modes::{self as mixed, KindMode};
use super::kinds::{DynStride, DynStrideKind};
use super::layout::{Draft, DynLayout, View};
use super::relations::for_each_leaf;
use super::shape::{DynShape, IntoDynShape, product};
use super::tree::{self, Arities, NumberList};
use crate::error::{Fault, LayoutError};
use crate::list::{Cons, Leaf, Nested, Nil, Whole};
use crate::number::table::Number;
use crate::number::table::StrideKind;
use crate::tuple::interval::{Interval, RangeCut, bits_fit, leaf_fits};

/// A coordinate with `_` where a mode is to be kept whole, and a range where a part of it is:
/// `(1,_)`, `(_,(2,0..3))`.
///
/// Law: `parse(print(c)) = c`. CuTe: a coordinate with `_`.
///
/// ```
/// # use layout_algebra::prelude::*;
/// let row: DynSlice = "(1,_)".parse()?;
/// let l: DynLayout = "(4,6):(1,4)".parse()?;
/// let (sublayout, offset) = l.slice(&row)?;
/// assert_eq!((sublayout.to_string().as_str(), offset), ("6:4", 1));
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct DynSlice {
    pub(crate) profile: Arities,
    pub(crate) leaves: SmallVec<[Kept; 8]>,
}

/// What is kept of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kept {
    /// All of it.
    Whole,
    /// Nothing but this coordinate, which is fixed.
    At(usize),
    /// Some numbers.
    Range(Interval),
}

impl DynSlice {
    /// `_`: keeps a mode whole.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynSlice::keep().to_string(), "_");
    /// ```
    pub fn keep() -> Self {
        DynSlice {
            profile: SmallVec::from_slice(&[0]),
            leaves: SmallVec::from_slice(&[Kept::Whole]),
        }
    }

    /// A range.
    pub(crate) fn from_interval(range: Interval) -> Self {
        let leaves = SmallVec::from_slice(&[Kept::Range(range)]);
        DynSlice { profile: SmallVec::from_slice(&[0]), leaves }
    }

    /// The tuple of `elements`.
    ///
    /// # Errors
    /// `profile` if there are none, or if they are nested as deep as text may be.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynSlice::tuple([DynSlice::from(1), DynSlice::keep()])?.to_string(), "(1,_)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn tuple(elements: impl IntoIterator<Item = DynSlice>) -> Result<Self, LayoutError> {
        let parts = elements.into_iter().map(|element| (element.profile, element.leaves));
        let (profile, leaves) =
            tree::tuple(parts).map_err(|fault| LayoutError::new("tuple", fault))?;
        Ok(DynSlice { profile, leaves })
    }
}

impl From<usize> for DynSlice {
    fn from(number: usize) -> Self {
        DynSlice {
            profile: SmallVec::from_slice(&[0]),
            leaves: SmallVec::from_slice(&[Kept::At(number)]),
        }
    }
}

impl From<&DynShape> for DynSlice {
    fn from(coordinate: &DynShape) -> Self {
        DynSlice {
            profile: coordinate.profile.clone(),
            leaves: coordinate.leaves.iter().map(|&number| Kept::At(number)).collect(),
        }
    }
}

macro_rules! from_ranges {
    ($($range:ty),*) => {
        $(impl From<$range> for DynSlice {
            fn from(range: $range) -> Self {
                DynSlice::from_interval(Interval::new(&range))
            }
        })*
    };
}
from_ranges!(
    Range<usize>,
    RangeInclusive<usize>,
    RangeFrom<usize>,
    RangeTo<usize>,
    RangeToInclusive<usize>
);
impl From<RangeFull> for DynSlice {
    fn from(_: RangeFull) -> Self {
        DynSlice::keep()
    }
}

/// A slice of a [`DynLayout`] or of a tensor under one: all types that convert into a [`DynSlice`],
/// which are numbers, `..`, ranges, tuples of these, and `DynSlice` itself.
///
/// Sealed: a conversion gives the same slice each time.
///
/// ```
/// use layout_algebra::prelude::*;
/// fn text(slice: impl IntoDynSlice) -> String {
///     slice.into_dyn_slice().to_string()
/// }
/// assert_eq!((text((1, (.., int!(2)))), text(&DynSlice::keep())), ("(1,(_,2))".into(), "_".into()));
/// ```
#[diagnostic::on_unimplemented(
    message = "this does not slice a `DynLayout`",
    label = "`{Self}`: neither numbers, `..` and ranges, nested as the shape is, nor a `DynSlice`",
    note = "a slice has the nesting of the shape, or a coarser one: `t.slice((1, ..))`; its numbers are `usize`: \
            write `i as usize` for another integer"
)]
pub trait IntoDynSlice: sealed::SealedSlice {
    /// The slice.
    fn into_dyn_slice(self) -> DynSlice;
}
pub(crate) mod sealed {
    pub trait SealedSlice {}

    /// What [`DynLayout::slice`](super::DynLayout::slice) takes: of references only a `&DynSlice`,
    /// so that the compiler knows what `&text.parse()?` has to be.
    #[diagnostic::on_unimplemented(
        message = "this does not slice a `DynLayout`",
        label = "`{Self}`: neither numbers, `..` and ranges, nested as the shape is, nor a `DynSlice`",
        note = "a slice has the nesting of the shape, or a coarser one: `l.slice((1, ..))`; its numbers are `usize`: \
                write `i as usize` for another integer"
    )]
    pub trait SliceArgument: super::IntoDynSlice {}
}
impl sealed::SliceArgument for &DynSlice {}
#[diagnostic::do_not_recommend]
impl<C: Nested<Node: SliceNode>> sealed::SliceArgument for C {}
macro_rules! themselves {
    ($($slice:ty, $self:ident => $result:expr;)*) => {
        $(impl sealed::SealedSlice for $slice {}
        impl IntoDynSlice for $slice {
            fn into_dyn_slice($self) -> DynSlice {
                $result
            }
        })*
    };
}
themselves! {
    DynSlice, self => self; &DynSlice, self => self.clone();
    &DynShape, self => DynSlice::from(self);
}
impl<C: Nested<Node: SliceNode>> sealed::SealedSlice for C {}
#[diagnostic::do_not_recommend]
impl<C: Nested<Node: SliceNode>> IntoDynSlice for C {
    fn into_dyn_slice(self) -> DynSlice {
        let mut slice = DynSlice { profile: SmallVec::new(), leaves: SmallVec::new() };
        self.node().push_onto(&mut slice);
        slice
    }
}

/// A level of a coordinate with `..`, with all below it.
pub trait SliceNode {
    fn push_onto(self, slice: &mut DynSlice);
}
impl<N: Number> SliceNode for Leaf<N> {
    fn push_onto(self, slice: &mut DynSlice) {
        slice.profile.push(0);
        slice.leaves.push(Kept::At(self.0.get()));
    }
}
impl SliceNode for Whole {
    fn push_onto(self, slice: &mut DynSlice) {
        slice.profile.push(0);
        slice.leaves.push(Kept::Whole);
    }
}
impl SliceNode for Interval {
    fn push_onto(self, slice: &mut DynSlice) {
        slice.profile.push(0);
        slice.leaves.push(Kept::Range(self));
    }
}
impl<H, T> SliceNode for Cons<H, T>
where
    Self: SliceItems,
{
    fn push_onto(self, slice: &mut DynSlice) {
        slice.profile.push(tree::arity(Self::COUNT));
        self.push_items_onto(slice);
    }
}
/// The items of a list, one by one.
pub trait SliceItems {
    const COUNT: usize;
    fn push_items_onto(self, slice: &mut DynSlice);
}
impl SliceItems for Nil {
    const COUNT: usize = 0;
    fn push_items_onto(self, _: &mut DynSlice) {}
}
impl<H: Nested<Node: SliceNode>, T: SliceItems> SliceItems for Cons<H, T> {
    const COUNT: usize = 1 + T::COUNT;
    fn push_items_onto(self, slice: &mut DynSlice) {
        self.head.node().push_onto(slice);
        self.tail.push_items_onto(slice);
    }
}

/// What a range keeps of a mode: where it begins, once the extents are those that it leaves.
fn cut(
    range: Interval,
    extents: &mut [usize],
    strides: &[usize],
    kinds: &[DynStrideKind],
) -> Result<usize, Fault> {
    let (start, length) = range.within(product(extents))?;
    let mut cut = RangeCut::new(start, length);
    extents.iter_mut().zip(strides).enumerate().for_each(|(leaf, (extent, &stride))| {
        let kind = match kinds.get(leaf) {
            Some(DynStrideKind::Negative) => StrideKind::Negative,
            Some(DynStrideKind::Xor) => StrideKind::Xor,
            Some(DynStrideKind::Natural) | None => StrideKind::Natural,
        };
        *extent = cut.leaf(*extent, stride, kind);
    });
    cut.finish().map(|()| start)
}

/// The signed number that a slice adds to the offsets of the kept modes, and the number that it
/// XORs with them.
#[derive(Default)]
pub(crate) struct SliceOffset {
    pub(crate) distance: usize,
    pub(crate) backwards: bool,
    pub(crate) xor: usize,
    /// A bit that the XORed number shares with the kept modes.
    pub(crate) shared: Option<u32>,
}
impl SliceOffset {
    /// The offset, if it is not negative, and a sum with what is kept.
    fn natural(self) -> Result<usize, Fault> {
        match self.shared {
            Some(bit) => Err(Fault::SliceOverlaps { bit }),
            None => Ok(self.from(0, false)?.0),
        }
    }
    /// The number `from`, moved by it, if that is a number; and what is added behind.
    pub(crate) fn from(self, from: usize, has_xor_strides: bool) -> Result<(usize, usize), Fault> {
        if has_xor_strides && !self.backwards {
            return Ok((from ^ self.xor, self.distance));
        }
        // No stride that moves is XORed: a mode of one number adds what it has beyond its end.
        let moved = from.checked_add(self.xor).ok_or(Fault::Overflow)?;
        match (self.backwards, moved.checked_sub(self.distance)) {
            (false, _) => Ok((moved.checked_add(self.distance).ok_or(Fault::Overflow)?, 0)),
            (true, Some(from)) => Ok((from, 0)),
            (true, None) => Err(Fault::Below { offset: self.distance - moved }),
        }
    }
}

/// What a slice at the numbers `fixed`, 0 where it keeps a leaf, adds to the offsets of what it
/// keeps, and XORs with them.
fn slice_offset(
    modes: &[KindMode],
    fixed: &[usize],
    kept: &[KindMode],
) -> Result<SliceOffset, Fault> {
    let strides = || modes.iter().map(|mode| mode.stride);
    let of = |xor: bool| {
        let those = strides()
            .map(|stride| if stride.is_xor() == xor { stride } else { DynStride::Natural(0) });
        let sum = mixed::offset(fixed.iter().copied().zip(those)).ok_or(Fault::Overflow)?;
        isize::try_from(sum).map_err(|_| Fault::Overflow)
    };
    let (sum, xor) = (of(false)?, of(true)?.unsigned_abs());
    let shared = xor as u128 & mixed::xor_bits(kept);
    let shared = (shared != 0).then(|| shared.trailing_zeros());
    Ok(SliceOffset { distance: sum.unsigned_abs(), backwards: sum < 0, xor, shared })
}

/// The offset of the numbers where a part begins. Nothing lies in an empty part: it begins at 0.
fn begin(whole: View<'_>, numbers: &[usize], part: &DynLayout) -> Result<SliceOffset, Fault> {
    if part.size() == 0 {
        return Ok(SliceOffset::default());
    }
    if !whole.is_natural() {
        return slice_offset(&whole.every_mode(), numbers, &part.every_mode());
    }
    let mut terms =
        numbers.iter().zip(whole.stride).map(|(number, stride)| number.checked_mul(*stride));
    let offset =
        terms.try_fold(0usize, |sum, term| sum.checked_add(term?)).ok_or(Fault::Overflow)?;
    Ok(SliceOffset { distance: offset, ..SliceOffset::default() })
}

/// The kept modes side by side, and the offset of the others.
pub(crate) fn slice(layout: &DynLayout, at: &DynSlice) -> Result<(DynLayout, SliceOffset), Fault> {
    let empty = layout.size() == 0;
    if empty && !layout.fixes_within(at) {
        return Err(Fault::NoIndex);
    }
    let whole = layout.view();
    let (mut extents, mut fault) = (NumberList::from_slice(whole.shape), None);
    let mut fixed = NumberList::from_elem(0, whole.shape.len());
    let matches = for_each_leaf(&at.profile, whole.profile, |leaf, under| {
        let stride = &whole.stride[under.leaves.clone()];
        let kinds = whole.kinds.get(under.leaves.clone()).unwrap_or(&[]);
        let number = match at.leaves[leaf] {
            Kept::Whole => return,
            Kept::At(number) => number,
            Kept::Range(range) => {
                match cut(range, &mut extents[under.leaves.clone()], stride, kinds) {
                    Ok(start) => start,
                    Err(broken) => {
                        fault = fault.or(Some(broken));
                        return;
                    }
                }
            }
        };
        digits(number, &whole.shape[under.leaves.clone()], &mut fixed[under.leaves]);
    });
    if !matches {
        return Err(Fault::NotWeaklyCongruent);
    }
    if let Some(fault) = fault {
        return Err(fault);
    }
    let mut kept: SmallVec<[View<'_>; 8]> = SmallVec::new();
    for_each_leaf(&at.profile, whole.profile, |leaf, under| {
        if !matches!(at.leaves[leaf], Kept::At(_)) {
            kept.push(View {
                profile: &whole.profile[under.nodes],
                shape: &extents[under.leaves.clone()],
                stride: &whole.stride[under.leaves.clone()],
                kinds: whole.kinds.get(under.leaves).unwrap_or(&[]),
            });
        }
    });
    let mut draft = Draft::new();
    match kept[..] {
        [] => draft.leaf(DynMode::new(1, 0)),
        [mode] => draft.tree(mode),
        _ => {
            draft.open(kept.len());
            kept.iter().for_each(|&mode| draft.tree(mode));
        }
    }
    let kept = draft.finish()?;
    let offset = begin(whole, &fixed, &kept)?;
    Ok((kept, offset))
}

/// A shape within the layout, and the offset of the coordinate where it begins.
pub(crate) fn window(
    layout: &DynLayout,
    origin: &DynShape,
    shape: &DynShape,
) -> Result<(DynLayout, SliceOffset), Fault> {
    let whole = layout.view();
    if !shape.profile.iter().eq(whole.profile) {
        return Err(Fault::Incongruent);
    }
    let mut first = NumberList::from_elem(0, whole.shape.len());
    let matches = for_each_leaf(&origin.profile, whole.profile, |leaf, under| {
        digits(origin.leaves[leaf], &whole.shape[under.leaves.clone()], &mut first[under.leaves]);
    });
    if !matches {
        return Err(Fault::NotWeaklyCongruent);
    }
    for (leaf, ((&start, &length), &extent)) in
        first.iter().zip(&shape.leaves).zip(whole.shape).enumerate()
    {
        leaf_fits(start, length, extent)?;
        if whole.kinds.get(leaf) == Some(&DynStrideKind::Xor) {
            bits_fit(start, length, whole.stride[leaf])?;
        }
    }
    let mut draft = Draft::new();
    draft.tree(View { shape: &shape.leaves, ..whole });
    let window = draft.finish()?;
    let offset = begin(whole, &first, &window)?;
    Ok((window, offset))
}

impl DynLayout {
    /// The layout of the modes that `at` keeps, and the offset of the coordinates that it fixes.
    ///
    /// Law: `R(x) + offset = L(c)`, where `c` is `at` with `x` in the place of `_`, and `a + x` in
    /// that of a range `a..b`. The kept modes stand side by side, however deep they were; a single
    /// one is itself, none is `1:0`. A range is one of numbers of its mode, whose nesting and
    /// strides stay. Of an empty layout the offset is 0. CuTe: `slice_and_offset`.
    ///
    /// # Errors
    /// `profile` if `at` does not weakly match the shape, or fixes a number in an empty mode,
    /// `overflow` if the offset leaves `usize`; `bounds` if a range ends before it begins or beyond
    /// its mode, `divisibility` if what it keeps of a nested mode is no layout: if it neither lies
    /// within leaves that continue one another, nor begins and ends with whole blocks of the leaves
    /// below the one that it ends in; or if a range of an XOR mode begins at a number with a bit of
    /// those that it keeps. `overlap` if the offsets of XOR strides share a bit with the fixed
    /// part, which is then XORed and not added: a [`DynComposedLayout`](crate::DynComposedLayout)
    /// can be sliced so.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let l: DynLayout = "(4,(2,3),5):(1,(12,4),24)".parse()?;
    /// let (sublayout, offset) = l.slice((.., (1, ..), 2))?;
    /// assert_eq!((sublayout.to_string().as_str(), offset), ("(4,3):(1,4)", 60));
    /// let (part, offset) = l.slice((1..3, 2..6, 2))?;
    /// assert_eq!((part.to_string().as_str(), offset), ("(2,(2,2)):(1,(12,4))", 1 + 4 + 48));
    /// assert_eq!(l.slice(&"(1..3,2..6,2)".parse()?)?, (part, offset));
    /// assert_eq!(l.slice((3..5, .., 2)).unwrap_err().kind().as_str(), "bounds");
    /// # Ok::<(), LayoutError>(())
    /// ```
    // The comment in the next line is for `slice(1, ..)`: the compiler then shows the line.
    pub fn slice</* all modes in one tuple: `slice((1, ..))` */ A: sealed::SliceArgument>(
        &self,
        at: A,
    ) -> Result<(DynLayout, usize), LayoutError> {
        let at = at.into_dyn_slice();
        let kept = slice(self, &at).and_then(|(kept, offset)| Ok((kept, offset.natural()?)));
        kept.map_err(|fault| LayoutError::new("slice", fault).with_operands(self, &at))
    }

    /// The layout of a shape within this one, from a coordinate on, and the offset where it begins.
    ///
    /// Law: `W(c) + offset = L(origin + c)` for each `c` within `shape`. The shape is congruent
    /// with the layout's; the origin is any coordinate of the layout.
    ///
    /// # Errors
    /// `bounds` if the window reaches beyond the layout, `profile` if the shape is not congruent
    /// with the layout's or the origin no coordinate of it; of XOR strides `divisibility` and
    /// `overlap`, as [`slice`](Self::slice).
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let l: DynLayout = "(4,6):(1,4)".parse()?;
    /// let (window, offset) = l.window((1, 2), (3, 4))?;
    /// assert_eq!((window.to_string().as_str(), offset), ("(3,4):(1,4)", 9));
    /// let error = l.window((1, 3), (3, 4)).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "cannot slice (4,6):(1,4) at (1,3): the range 3..7 reaches beyond the extent 6"
    /// );
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn window(
        &self,
        origin: impl IntoDynShape,
        shape: impl IntoDynShape,
    ) -> Result<(DynLayout, usize), LayoutError> {
        let (origin, shape) = (origin.into(), shape.into());
        let window = window(self, &origin, &shape)
            .and_then(|(window, offset)| Ok((window, offset.natural()?)));
        window.map_err(|fault| LayoutError::new("slice", fault).with_operands(self, &origin))
    }

    /// Does the slice match the shape, and is each of its numbers below the extent that it counts
    /// in?
    pub(crate) fn fixes_within(&self, at: &DynSlice) -> bool {
        let mut within = true;
        let matches = for_each_leaf(&at.profile, self.view().profile, |leaf, under| {
            let (extents, strides) = (
                &self.view().shape[under.leaves.clone()],
                &self.view().stride[under.leaves.clone()],
            );
            let kinds = self.view().kinds.get(under.leaves).unwrap_or(&[]);
            // Checked, so that memory safety does not depend on how the layout was made.
            let extent =
                extents.iter().try_fold(1, |size: usize, extent| size.checked_mul(*extent));
            within &= match at.leaves[leaf] {
                Kept::Whole => true,
                Kept::At(number) => extent.is_some_and(|extent| number < extent),
                Kept::Range(range) => {
                    extent.is_some()
                        && cut(range, &mut NumberList::from_slice(extents), strides, kinds).is_ok()
                }
            };
        });
        matches && within
    }
}
