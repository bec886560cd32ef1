//! How nested tuples relate.
//!
//! ```text
//! congruent(a, b)         a and b have the same profile
//! weakly_congruent(a, b)  a integer, or ranks equal and weakly_congruent(a_i, b_i) for every i
//! compatible(a, b)        a = size(b), or ranks equal and compatible(a_i, b_i) for every i
//! ```

use core::ops::Range;

use super::shape::{DynShape, product};
use super::tree;

/// The tree of a fine profile that stands under a leaf of a coarse one.
pub(crate) struct Under {
    /// Its nodes in the profile.
    pub(crate) nodes: Range<usize>,
    /// Its leaves.
    pub(crate) leaves: Range<usize>,
}

/// Whether every leaf of `coarse` stands over a tree of `fine`, and `accept` is true of each leaf
/// and its tree.
fn covers(coarse: &[u32], fine: &[u32], mut accept: impl FnMut(usize, Under) -> bool) -> bool {
    let (mut node, mut leaf) = (0, 0);
    let mut position = 0;
    for &children in coarse {
        if children == 0 {
            let (nodes, leaves) = tree::first_tree(&fine[node..]);
            if !accept(position, Under { nodes: node..node + nodes, leaves: leaf..leaf + leaves }) {
                return false;
            }
            (node, leaf, position) = (node + nodes, leaf + leaves, position + 1);
        } else if fine[node] == children {
            node += 1;
        } else {
            return false;
        }
    }
    true
}

/// `weakly_congruent` of bare profiles.
pub(crate) fn weakly_congruent(coarse: &[u32], fine: &[u32]) -> bool {
    covers(coarse, fine, |_, _| true)
}

/// Calls `each` with every leaf of `coarse` and the tree of `fine` under it. Returns whether the
/// profiles are weakly congruent; if not, some calls may have been made.
pub(crate) fn for_each_leaf(
    coarse: &[u32],
    fine: &[u32],
    mut each: impl FnMut(usize, Under),
) -> bool {
    covers(coarse, fine, |position, under| {
        each(position, under);
        true
    })
}

impl DynShape {
    /// Whether both have the same profile.
    ///
    /// Law: an equivalence. CuTe: `congruent`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let s: DynShape = "(4,(2,3))".parse()?;
    /// assert!(s.congruent(&"(1,(4,8))".parse()?));
    /// assert!(!s.congruent(&"(1,4)".parse()?));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn congruent(&self, other: &DynShape) -> bool {
        self.profile == other.profile
    }

    /// Whether the profile of `self` coarsens that of `other`: an integer matches anything.
    ///
    /// Law: a partial order of profiles. CuTe: `weakly_congruent`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let s: DynShape = "(4,6)".parse()?;
    /// assert!(s.weakly_congruent(&"(1,(4,8))".parse()?));
    /// assert!(!s.weakly_congruent(&"4".parse()?));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn weakly_congruent(&self, other: &DynShape) -> bool {
        weakly_congruent(&self.profile, &other.profile)
    }

    /// Whether `other` refines `self`: every coordinate of `self` is a coordinate of `other`.
    ///
    /// Law: `size(self) = size(other)`, and a partial order of shapes. CuTe: `compatible`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let s: DynShape = "(4,6)".parse()?;
    /// assert!(s.compatible(&"(4,(2,3))".parse()?));
    /// assert!(!s.compatible(&"(6,4)".parse()?));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn compatible(&self, other: &DynShape) -> bool {
        covers(&self.profile, &other.profile, |leaf, under| {
            product(&other.leaves[under.leaves]) == Some(self.leaves[leaf])
        })
    }
}
