//! Nested tuples as flat lists: a profile in preorder, and the leaves from left to right.
//!
//! ```text
//! (4,(2,3))   profile = 2 0 2 0 0      one arity per node, 0 for a leaf
//!             leaves  = 4 2 3
//! ```
//!
//! All nodes of a tree are visited by a loop over the profile, so no nesting overflows the stack,
//! and up to 16 nodes and 8 leaves need no heap.

use smallvec::{Array, SmallVec};

use crate::error::Fault;

/// The arities of a tree in preorder; a leaf has arity 0.
pub(crate) type Arities = SmallVec<[u32; 16]>;

/// Numbers from left to right.
pub(crate) type NumberList = SmallVec<[usize; 8]>;

/// The deepest nesting of tuples that text and tilers may have.
pub(crate) const MAX_DEPTH: usize = 64;

/// An arity as it is stored.
///
/// # Panics
/// Beyond `u32::MAX` children of one node, which are more than 16 GiB of profile.
pub(crate) fn arity(children: usize) -> u32 {
    u32::try_from(children).expect("a tuple has less than 2^32 elements")
}

/// Appends `items`. Lists here are short, so that a loop is faster than the two calls to
/// `memcpy` of `extend_from_slice`.
#[inline]
pub(crate) fn append<A: Array<Item: Copy>>(list: &mut SmallVec<A>, items: &[A::Item]) {
    list.extend(items.iter().copied());
}

/// How many nodes and how many leaves the first tree of `profile` has.
#[inline]
pub(crate) fn first_tree(profile: &[u32]) -> (usize, usize) {
    let (mut nodes, mut leaves, mut awaited) = (0, 0, 1);
    while awaited > 0 {
        let children = profile[nodes] as usize;
        nodes += 1;
        leaves += usize::from(children == 0);
        awaited = awaited - 1 + children;
    }
    (nodes, leaves)
}

/// The number of modes: a leaf has one, itself.
#[inline]
pub(crate) fn rank(profile: &[u32]) -> usize {
    (profile[0] as usize).max(1)
}

/// How deep tuples are nested: 0 for a leaf.
pub(crate) fn depth(profile: &[u32]) -> usize {
    let mut deepest = 0;
    let mut awaited = SmallVec::<[u32; 16]>::new();
    for &children in profile {
        while awaited.last() == Some(&0) {
            awaited.pop();
        }
        if let Some(left) = awaited.last_mut() {
            *left -= 1;
        }
        if children > 0 {
            awaited.push(children);
            deepest = deepest.max(awaited.len());
        }
        // A tuple whose elements are all seen is closed before its neighbour opens.
        while awaited.last() == Some(&0) {
            awaited.pop();
        }
    }
    deepest
}

/// The tuple of trees, at least one, that is nested no deeper than text may be.
pub(crate) fn tuple<L: Copy>(
    trees: impl IntoIterator<Item = (Arities, SmallVec<[L; 8]>)>,
) -> Result<(Arities, SmallVec<[L; 8]>), Fault> {
    let (mut profile, mut leaves, mut rank) = (Arities::from_slice(&[0]), SmallVec::new(), 0);
    for (tree, mine) in trees {
        profile.extend_from_slice(&tree);
        leaves.extend_from_slice(&mine);
        rank += 1;
    }
    profile[0] = arity(rank);
    if rank == 0 {
        Err(Fault::EmptyTuple)
    } else {
        check_depth(&profile).map(|()| (profile, leaves))
    }
}

/// Text of a deeper tree could not be parsed.
#[inline]
pub(crate) fn check_depth(profile: &[u32]) -> Result<(), Fault> {
    let deep = profile.len() > MAX_DEPTH && depth(profile) > MAX_DEPTH;
    if deep { Err(Fault::Depth { limit: MAX_DEPTH }) } else { Ok(()) }
}

/// Builds a tree from left to right: `open`, `leaf` and `close` are the parentheses and numbers of
/// its text.
pub(crate) struct TreeBuilder<L = usize> {
    profile: Arities,
    leaves: SmallVec<[L; 8]>,
    open: SmallVec<[usize; 16]>,
}

impl<L> TreeBuilder<L> {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        TreeBuilder { profile: Arities::new(), leaves: SmallVec::new(), open: SmallVec::new() }
    }

    fn node(&mut self) {
        if let Some(&parent) = self.open.last() {
            self.profile[parent] =
                self.profile[parent].checked_add(1).expect("a tuple has less than 2^32 elements");
        }
        self.profile.push(0);
    }

    /// Begins a tuple.
    pub(crate) fn open(&mut self) {
        self.node();
        self.open.push(self.profile.len() - 1);
    }

    /// Adds a leaf to the innermost open tuple.
    pub(crate) fn leaf(&mut self, leaf: L) {
        self.node();
        self.leaves.push(leaf);
    }

    /// Ends the innermost tuple.
    ///
    /// # Panics
    /// If no tuple is open, or the innermost one is empty.
    pub(crate) fn close(&mut self) {
        let tuple = self.open.pop().expect("a tuple is open");
        assert!(self.profile[tuple] > 0, "a tuple has at least one element");
    }

    /// How many tuples are open.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The profile and the leaves.
    ///
    /// # Panics
    /// If a tuple is still open, or there is not exactly one tree.
    pub(crate) fn into_parts(self) -> (Arities, SmallVec<[L; 8]>) {
        assert!(self.open.is_empty() && !self.profile.is_empty(), "a tree is closed and not empty");
        debug_assert_eq!(first_tree(&self.profile), (self.profile.len(), self.leaves.len()));
        (self.profile, self.leaves)
    }
}
