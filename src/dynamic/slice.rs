//! Slices: fix some modes, keep the others.
//!
//! ```text
//! (R, o) = slice(L, c)      R(x) + o = L(c with x in the place of `_`)
//! ```

use smallvec::SmallVec;

use super::coordinate::offset_of_number;
use super::flat::DynMode;
use super::layout::{Draft, DynLayout, View};
use super::relations::for_each_leaf;
use super::shape::DynShape;
use super::tree::{self, Arities};
use crate::error::{Fault, LayoutError};
use crate::list::{Cons, Leaf, Nested, Nil, Whole};
use crate::number::table::Number;

/// A coordinate with `_` where a mode is to be kept whole: `(1,_)`, `(_,(2,_))`.
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
    pub(crate) leaves: SmallVec<[Option<usize>; 8]>,
}

impl DynSlice {
    /// `_`: keeps a mode whole.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynSlice::keep().to_string(), "_");
    /// ```
    pub fn keep() -> Self {
        DynSlice { profile: SmallVec::from_slice(&[0]), leaves: SmallVec::from_slice(&[None]) }
    }

    /// The tuple of `elements`.
    ///
    /// # Errors
    /// `profile` if there are none.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynSlice::tuple([DynSlice::from(1), DynSlice::keep()])?.to_string(), "(1,_)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn tuple(elements: impl IntoIterator<Item = DynSlice>) -> Result<Self, LayoutError> {
        let mut tuple = DynSlice { profile: SmallVec::from_slice(&[0]), leaves: SmallVec::new() };
        let mut rank = 0;
        for element in elements {
            tuple.profile.extend_from_slice(&element.profile);
            tuple.leaves.extend_from_slice(&element.leaves);
            rank += 1;
        }
        if rank == 0 {
            return Err(LayoutError::new("tuple", Fault::EmptyTuple));
        }
        tuple.profile[0] = tree::arity(rank);
        Ok(tuple)
    }
}

impl From<usize> for DynSlice {
    fn from(number: usize) -> Self {
        DynSlice { profile: SmallVec::from_slice(&[0]), leaves: SmallVec::from_slice(&[Some(number)]) }
    }
}

impl From<&DynShape> for DynSlice {
    fn from(coordinate: &DynShape) -> Self {
        DynSlice {
            profile: coordinate.profile.clone(),
            leaves: coordinate.leaves.iter().map(|&number| Some(number)).collect(),
        }
    }
}

/// What converts into a [`DynSlice`], and so slices a [`DynLayout`] and what is laid out by one: numbers, `..`,
/// tuples of such, and a `DynSlice`.
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
    label = "`{Self}`: neither numbers and `..`, nested as the shape is, nor a `DynSlice`",
    note = "a slice has the nesting of the shape, or a coarser one: `t.slice((1, ..))`; its numbers are `usize`: write `i as usize` for another integer"
)]
pub trait IntoDynSlice: sealed::SealedSlice {
    /// The slice.
    fn into_dyn_slice(self) -> DynSlice;
}
pub(crate) mod sealed {
    pub trait SealedSlice {}

    /// What [`DynLayout::slice`](super::DynLayout::slice) takes: all but a `&DynShape`, so that the compiler knows
    /// what `&text.parse()?` has to be.
    #[diagnostic::on_unimplemented(
        message = "this does not slice a `DynLayout`",
        label = "`{Self}`: neither numbers and `..`, nested as the shape is, nor a `DynSlice`",
        note = "a slice has the nesting of the shape, or a coarser one: `l.slice((1, ..))`; its numbers are `usize`: write `i as usize` for another integer"
    )]
    pub trait SliceArgument: super::IntoDynSlice {}
}
impl sealed::SliceArgument for DynSlice {}
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
themselves! { DynSlice, self => self; &DynSlice, self => self.clone(); &DynShape, self => DynSlice::from(self); }
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
        slice.leaves.push(Some(self.0.get()));
    }
}
impl SliceNode for Whole {
    fn push_onto(self, slice: &mut DynSlice) {
        slice.profile.push(0);
        slice.leaves.push(None);
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

/// The kept modes side by side, and the offset of the others.
fn slice(layout: &DynLayout, at: &DynSlice) -> Result<(DynLayout, usize), Fault> {
    let empty = layout.size() == 0;
    if empty && !layout.fixes_within(at) {
        return Err(Fault::NoIndex);
    }
    let whole = layout.view();
    let mut kept: SmallVec<[View<'_>; 8]> = SmallVec::new();
    let mut offset = Some(0usize);
    let matches = for_each_leaf(&at.profile, whole.profile, |leaf, under| {
        let mode = View {
            profile: &whole.profile[under.nodes],
            shape: &whole.shape[under.leaves.clone()],
            stride: &whole.stride[under.leaves],
        };
        match at.leaves[leaf] {
            None => kept.push(mode),
            // Nothing lies in an empty layout, wherever its numbers point: it begins at 0.
            Some(_) if empty => {}
            Some(number) => {
                let term = offset_of_number(number, mode.shape, mode.stride);
                offset = offset.zip(term).and_then(|(sum, term)| sum.checked_add(term));
            }
        }
    });
    if !matches {
        return Err(Fault::NotWeaklyCongruent);
    }
    let mut draft = Draft::new();
    match kept[..] {
        [] => draft.leaf(DynMode::new(1, 0)),
        [mode] => draft.tree(mode),
        _ => {
            draft.open(kept.len());
            kept.iter().for_each(|&mode| draft.tree(mode));
        }
    }
    Ok((draft.finish()?, offset.ok_or(Fault::Overflow)?))
}

impl DynLayout {
    /// The layout of the modes that `at` keeps, and the offset of the coordinates that it fixes.
    ///
    /// Law: `R(x) + offset = L(c)`, where `c` is `at` with `x` in the place of `_`. The kept modes stand side
    /// by side, however deep they were; a single one is itself, none is `1:0`. Of an empty layout the offset
    /// is 0. CuTe: `slice_and_offset`.
    ///
    /// # Errors
    /// `profile` if `at` does not weakly match the shape, or fixes a number in an empty mode, `overflow` if the offset leaves `usize`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let l: DynLayout = "(4,(2,3),5):(1,(12,4),24)".parse()?;
    /// let (sublayout, offset) = l.slice((.., (1, ..), 2))?;
    /// assert_eq!((sublayout.to_string().as_str(), offset), ("(4,3):(1,4)", 60));
    /// assert_eq!(l.slice(&"(_,(1,_),2)".parse()?)?, (sublayout, offset));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn slice(&self, at: impl sealed::SliceArgument) -> Result<(DynLayout, usize), LayoutError> {
        self.slice_at(&at.into_dyn_slice())
    }

    /// [`slice`](Self::slice) by what it takes apart.
    pub(crate) fn slice_at(&self, at: &DynSlice) -> Result<(DynLayout, usize), LayoutError> {
        slice(self, at).map_err(|fault| LayoutError::new("slice", fault).with_operands(self, at))
    }

    /// Does the slice match the shape, and is each of its numbers below the extent that it counts in?
    pub(crate) fn fixes_within(&self, at: &DynSlice) -> bool {
        let mut within = true;
        let matches = for_each_leaf(&at.profile, self.view().profile, |leaf, under| {
            // Checked, so that memory need not rely on what the layout was made of.
            let extent =
                self.view().shape[under.leaves].iter().try_fold(1, |size: usize, extent| size.checked_mul(*extent));
            within &= at.leaves[leaf].is_none_or(|number| extent.is_some_and(|extent| number < extent));
        });
        matches && within
    }
}
