//! Modes: taking a layout apart, and concatenating layouts.
//!
//! ```text
//! select(L, (i,j,..)) = (L_i, L_j, ..)            take(L, b, e) = (L_b, .., L_(e-1))
//! append(L, x) = (L_0, .., L_k, x)                prepend(L, x) = (x, L_0, .., L_k)
//! group(L, b, e) = (.., (L_b, .., L_(e-1)), ..)   ungroup(group(L, b, e), b) = L
//! replace(L, i, x) = (.., x, ..)                  reverse(L) = (L_k, .., L_0)
//! ```
//!
//! These keep each mode as it is; the result is always a tuple. When two layouts are concatenated,
//! a stride that does not move becomes natural beside strides of another kind: `1:-3` before `8:^9`
//! is `(1,8):(3,^9)`.

use smallvec::SmallVec;

use super::kinds::DynStrideKind;
use super::layout::{Draft, DynLayout, View};
use crate::error::{Fault, LayoutError};

/// The modes of a layout in a list.
type Views<'a> = SmallVec<[View<'a>; 8]>;

/// The tuple of `modes`.
fn tuple(modes: &[View<'_>]) -> Result<DynLayout, Fault> {
    if modes.is_empty() {
        return Err(Fault::EmptyTuple);
    }
    let mut draft = Draft::new();
    draft.open(modes.len());
    modes.iter().for_each(|&mode| draft.tree(mode));
    draft.finish()
}

/// The tuple of `modes`, of which `put` is new. If no stride moves, its strides have the kind of
/// those of `put`.
fn put_together(modes: &[View<'_>], put: &DynLayout) -> Result<DynLayout, Fault> {
    let mut layout = tuple(modes)?;
    if layout.kinds.are_mixed() {
        let of_put =
            put.kinds.as_slice().iter().copied().find(|&kind| kind != DynStrideKind::Natural);
        layout.in_one_kind(of_put.unwrap_or_default());
    }
    Ok(layout)
}

impl DynLayout {
    fn views(&self) -> Views<'_> {
        self.view().modes().collect()
    }

    fn view_of(&self, mode: usize) -> Result<View<'_>, Fault> {
        self.view().modes().nth(mode).ok_or(Fault::Mode { mode, rank: self.rank() })
    }

    fn range(&self, first: usize, last: usize) -> Result<Views<'_>, Fault> {
        let views = self.views();
        let range = views.get(first..last).filter(|range| !range.is_empty());
        range.map(SmallVec::from_slice).ok_or(Fault::Modes { first, last, rank: self.rank() })
    }

    /// The layout whose modes are `modes`.
    ///
    /// Law: `tuple(L.modes()) = L` for a tuple `L`. CuTe: `make_layout(l0, l1, ..)`.
    ///
    /// # Errors
    /// `profile` if there is no mode, `overflow` if the size or the cosize leaves `usize`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let (a, b): (DynLayout, DynLayout) = ("4:1".parse()?, "(2,3):(12,4)".parse()?);
    /// assert_eq!(DynLayout::tuple(&[a, b])?.to_string(), "(4,(2,3)):(1,(12,4))");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn tuple(modes: &[DynLayout]) -> Result<DynLayout, LayoutError> {
        let views: Views<'_> = modes.iter().map(DynLayout::view).collect();
        tuple(&views).map_err(|fault| LayoutError::new("tuple", fault))
    }

    /// Mode `mode`; a layout without parentheses is its own mode 0. CuTe: `layout<i>(l)`.
    ///
    /// # Errors
    /// `rank` if there is no such mode.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(4,(2,3)):(1,(12,4))".parse::<DynLayout>()?.mode(1)?.to_string(), "(2,3):(12,4)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn mode(&self, mode: usize) -> Result<DynLayout, LayoutError> {
        let view = self
            .view_of(mode)
            .map_err(|fault| LayoutError::new("mode", fault).with_operand(self))?;
        Ok(view.to_layout())
    }

    /// All modes; a layout without parentheses is its own only mode.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let l: DynLayout = "(4,(2,3)):(1,(12,4))".parse()?;
    /// assert_eq!(l.modes().map(|m| m.to_string()).collect::<Vec<_>>(), ["4:1", "(2,3):(12,4)"]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn modes(&self) -> impl Iterator<Item = DynLayout> + '_ {
        self.view().modes().map(View::to_layout)
    }

    /// The tuple of the modes named, in that order.
    ///
    /// Law and example: [`LayoutAlgebra::select`](crate::LayoutAlgebra::select).
    ///
    /// # Errors
    /// `rank` if a mode does not exist, `profile` if none is named, `overflow` if a repeated mode
    /// makes the size leave `usize`.
    pub fn select(&self, modes: &[usize]) -> Result<DynLayout, LayoutError> {
        let views: Result<Views<'_>, Fault> =
            modes.iter().map(|&mode| self.view_of(mode)).collect();
        views
            .and_then(|views| tuple(&views))
            .map_err(|fault| LayoutError::new("select", fault).with_operand(self))
    }

    /// The tuple of the modes from `first` up to, but not including, `last`.
    ///
    /// Law: `select(first, first + 1, .., last - 1)`. CuTe: `take<first, last>`.
    ///
    /// # Errors
    /// `rank` if the range is empty or reaches beyond the layout.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let l: DynLayout = "(4,6,8):(1,4,24)".parse()?;
    /// assert_eq!(l.take(1, 3)?.to_string(), "(6,8):(4,24)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn take(&self, first: usize, last: usize) -> Result<DynLayout, LayoutError> {
        self.range(first, last)
            .and_then(|views| tuple(&views))
            .map_err(|fault| LayoutError::new("take", fault).with_operand(self))
    }

    /// The modes from `first` up to, but not including, `last` in one mode.
    ///
    /// Law: the same function; `ungroup(group(L, first, last), first) = L`. CuTe:
    /// `group<first, last>`.
    ///
    /// # Errors
    /// `rank` if the range is empty or reaches beyond the layout.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let l: DynLayout = "(4,6,8):(1,4,24)".parse()?;
    /// assert_eq!(l.group(0, 2)?.to_string(), "((4,6),8):((1,4),24)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn group(&self, first: usize, last: usize) -> Result<DynLayout, LayoutError> {
        let group = || {
            let group = tuple(&self.range(first, last)?)?;
            let mut views = self.views();
            views.drain(first..last);
            views.insert(first, group.view());
            tuple(&views)
        };
        group().map_err(|fault| LayoutError::new("group", fault).with_operand(self))
    }

    /// The modes of mode `mode` in its place.
    ///
    /// Law: the same function; the inverse of [`group`](Self::group). A mode without parentheses
    /// stays.
    ///
    /// # Errors
    /// `rank` if there is no such mode.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let l: DynLayout = "((4,6),8):((1,4),24)".parse()?;
    /// assert_eq!(l.ungroup(0)?.to_string(), "(4,6,8):(1,4,24)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn ungroup(&self, mode: usize) -> Result<DynLayout, LayoutError> {
        let ungroup = || {
            let grouped = self.view_of(mode)?;
            let mut views = self.views();
            views.remove(mode);
            views.insert_many(mode, grouped.modes().collect::<Views<'_>>());
            tuple(&views)
        };
        ungroup().map_err(|fault| LayoutError::new("ungroup", fault).with_operand(self))
    }

    /// This layout with `mode` as one more mode at the end.
    ///
    /// Law and example: [`LayoutAlgebra::append`](crate::LayoutAlgebra::append).
    ///
    /// # Errors
    /// `overflow` if the size or the cosize leaves `usize`.
    pub fn append(&self, mode: &DynLayout) -> Result<DynLayout, LayoutError> {
        let mut views = self.views();
        views.push(mode.view());
        put_together(&views, mode)
            .map_err(|fault| LayoutError::new("append", fault).with_operands(self, mode))
    }

    /// This layout with `mode` as one more mode at the beginning.
    ///
    /// Law and example: [`LayoutAlgebra::prepend`](crate::LayoutAlgebra::prepend).
    ///
    /// # Errors
    /// `overflow` if the size or the cosize leaves `usize`.
    pub fn prepend(&self, mode: &DynLayout) -> Result<DynLayout, LayoutError> {
        let mut views = self.views();
        views.insert(0, mode.view());
        put_together(&views, mode)
            .map_err(|fault| LayoutError::new("prepend", fault).with_operands(self, mode))
    }

    /// This layout with `with` in the place of mode `mode`.
    ///
    /// Law: mode `mode` of the result is `with`, the others are as before. CuTe: `replace<i>`.
    ///
    /// # Errors
    /// `rank` if there is no such mode, `overflow` if the size or the cosize leaves `usize`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let (l, x): (DynLayout, DynLayout) = ("(4,6):(1,4)".parse()?, "(2,3):(12,4)".parse()?);
    /// assert_eq!(l.replace(1, &x)?.to_string(), "(4,(2,3)):(1,(12,4))");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn replace(&self, mode: usize, with: &DynLayout) -> Result<DynLayout, LayoutError> {
        let replace = || {
            let mut views = self.views();
            *views.get_mut(mode).ok_or(Fault::Mode { mode, rank: self.rank() })? = with.view();
            put_together(&views, with)
        };
        replace().map_err(|fault| LayoutError::new("replace", fault).with_operands(self, with))
    }

    /// The modes from the last to the first; a layout without parentheses stays as it is.
    ///
    /// Law and example: [`LayoutAlgebra::reverse`](crate::LayoutAlgebra::reverse).
    pub fn reverse(&self) -> DynLayout {
        if self.profile[0] == 0 {
            return self.clone();
        }
        let mut views = self.views();
        views.reverse();
        tuple(&views).expect("the same modes have the same size and cosize")
    }

    /// The two modes of a rank-2 layout exchanged.
    ///
    /// Law and example: [`LayoutAlgebra::transpose`](crate::LayoutAlgebra::transpose).
    ///
    /// # Errors
    /// `rank` if the rank is not 2.
    pub fn transpose(&self) -> Result<DynLayout, LayoutError> {
        if self.rank() == 2 {
            return Ok(self.reverse());
        }
        let fault = Fault::Rank { needed: 2, rank: self.rank() };
        Err(LayoutError::new("transpose", fault).with_operand(self))
    }
}
