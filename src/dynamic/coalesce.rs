//! Coalesce, filter, flatten: fewer modes, the same function.
//!
//! ```text
//! coalesce(L)(i) = L(i) for i < size(L)      image(filter(L)) = image(L)      flatten(L)(i) = L(i)
//! ```

use smallvec::SmallVec;

use super::flat::{DynMode, MergedList};
use super::kinds::modes as mixed;
use super::layout::{Draft, DynLayout, View, from_every};
use super::shape::{DynShape, flat_profile};
use super::short::{SHORT, ShortList};
use super::tree;
use crate::error::{Fault, LayoutError};

/// Puts `fewer` in place of the mode under each leaf of `profile`; modes beyond those that
/// a tuple of it names are kept.
fn by_profile(
    layout: View<'_>,
    profile: &[u32],
    fewer: fn(View<'_>, &mut Draft),
) -> Result<DynLayout, Fault> {
    let mut draft = Draft::new();
    // For each open tuple of the profile: how many modes it still names, and how many there are.
    let mut rest = layout;
    let mut open: SmallVec<[(usize, usize); 8]> = SmallVec::new();
    for &named in profile {
        if named == 0 {
            fewer(take_tree(&mut rest), &mut draft);
        } else {
            let (named, rank) = (named as usize, rest.rank());
            if named > rank {
                return Err(Fault::ProfileRank { profile: named, layout: rank });
            }
            draft.open(rank);
            if rest.profile[0] != 0 {
                rest.profile = &rest.profile[1..];
            }
            open.push((named, rank - named));
            continue;
        }
        // The tree is complete, and so is every tuple whose last named mode it was.
        while let Some((named, kept)) = open.last_mut() {
            *named -= 1;
            if *named > 0 {
                break;
            }
            (0..*kept).for_each(|_| draft.tree(take_tree(&mut rest)));
            open.pop();
        }
    }
    draft.finish()
}

/// The fewest modes of the same function.
#[inline]
fn coalesced(layout: View<'_>, draft: &mut Draft) {
    draft.every(&mixed::merged(layout.every()));
}

/// The modes without broadcast modes. A mode of extent 0 stays: without it the image would not be
/// empty.
fn filtered(layout: View<'_>, draft: &mut Draft) {
    draft.every(&mixed::merged(
        layout.every().filter(|mode| mode.stride.number() != 0 || mode.extent == 0),
    ));
}

/// The whole layout, in the modes that `fewer` makes of it.
fn whole(layout: View<'_>, fewer: fn(View<'_>, &mut Draft)) -> DynLayout {
    by_profile(layout, &[0], fewer).expect("fewer modes have no larger size or cosize")
}

/// Splits the first tree off a list of trees.
fn take_tree<'a>(rest: &mut View<'a>) -> View<'a> {
    let (nodes, leaves) = tree::first_tree(rest.profile);
    let (first, after) = rest.split_at(nodes, leaves);
    *rest = after;
    first
}

impl DynLayout {
    /// The same function in the fewest modes.
    ///
    /// Law and example: [`LayoutAlgebra::coalesce`](crate::LayoutAlgebra::coalesce).
    pub fn coalesce(&self) -> DynLayout {
        // The same function has the same size and cosize.
        if self.shape.len() <= SHORT && self.view().is_natural() {
            let mut list = ShortList::new();
            self.view().flat().for_each(|mode| list.push_merged(mode));
            list.end();
            return list.layout((self.size(), self.cosize()));
        }
        whole(self.view(), coalesced)
    }

    /// The same function beyond the size too, in the fewest modes: a last mode of extent 1 stays.
    ///
    /// Law and example: [`LayoutAlgebra::coalesce_z`](crate::LayoutAlgebra::coalesce_z).
    pub fn coalesce_z(&self) -> DynLayout {
        let leaves = self.shape.len();
        if leaves <= SHORT && self.view().is_natural() {
            let (mut modes, mut list) = (self.view().flat(), ShortList::new());
            modes.by_ref().take(leaves - 1).for_each(|mode| list.push_merged(mode));
            modes.for_each(|last| list.end_with(last));
            return list.layout((self.size(), self.cosize()));
        }
        from_every(&mixed::left_modes(&self.every_mode())).expect("the same size and cosize")
    }

    /// Coalesces the mode under each leaf of `profile`; modes beyond those that a tuple of it names
    /// are kept.
    ///
    /// Law and example: [`LayoutAlgebra::coalesce_by`](crate::LayoutAlgebra::coalesce_by).
    ///
    /// # Errors
    /// `rank` if a tuple of `profile` has more modes than the layout has there.
    pub fn coalesce_by(&self, profile: &DynShape) -> Result<DynLayout, LayoutError> {
        by_profile(self.view(), &profile.profile, coalesced)
            .map_err(|fault| LayoutError::new("coalesce_by", fault).with_operands(self, profile))
    }

    /// Drops the modes of stride 0 and extent 1, then coalesces.
    ///
    /// Law and example: [`LayoutAlgebra::filter`](crate::LayoutAlgebra::filter).
    pub fn filter(&self) -> DynLayout {
        if self.shape.len() <= SHORT && self.view().is_natural() {
            let (moves, mut list) =
                (|mode: &DynMode| mode.stride != 0 || mode.extent == 0, ShortList::new());
            self.view().flat().filter(moves).for_each(|mode| list.push_merged(mode));
            list.end();
            return list.layout(list.measure().expect("fewer modes have no larger size or cosize"));
        }
        whole(self.view(), filtered)
    }

    /// [`filter`](Self::filter) under each leaf of `profile`, as [`coalesce_by`](Self::coalesce_by)
    /// coalesces.
    ///
    /// Law and example: [`LayoutAlgebra::filter_by`](crate::LayoutAlgebra::filter_by).
    ///
    /// # Errors
    /// `rank` if a tuple of `profile` has more modes than the layout has there.
    pub fn filter_by(&self, profile: &DynShape) -> Result<DynLayout, LayoutError> {
        by_profile(self.view(), &profile.profile, filtered)
            .map_err(|fault| LayoutError::new("filter_by", fault).with_operands(self, profile))
    }

    /// All leaf modes side by side.
    ///
    /// Law and example: [`LayoutAlgebra::flatten`](crate::LayoutAlgebra::flatten).
    pub fn flatten(&self) -> DynLayout {
        let mut flat = self.clone();
        flat.profile = flat_profile(&self.profile, self.shape.len());
        flat
    }
}
