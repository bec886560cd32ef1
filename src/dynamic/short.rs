//! A merged list of few modes, in the arrays that a small layout consists of.
//!
//! A list that may be on the heap checks at every step whether it is, and coalesce and complement
//! consist of such steps.

use super::flat::{DynMode, MergedList, measure};
use super::kinds::Kinds;
use super::layout::DynLayout;
use super::tree::{self, Arities, NumberList};
use crate::error::Fault;

/// The most modes of such a list: what a layout holds without the heap.
pub(crate) const SHORT: usize = 8;

/// A merged list of at most [`SHORT`] modes being written.
pub(crate) struct ShortList {
    shape: [usize; SHORT],
    stride: [usize; SHORT],
    count: usize,
    /// The last mode, until another one begins; of extent 1 before the first.
    growing: DynMode,
}

impl ShortList {
    /// Nothing yet.
    #[inline]
    pub(crate) fn new() -> Self {
        ShortList { shape: [0; SHORT], stride: [0; SHORT], count: 0, growing: DynMode::new(1, 0) }
    }

    #[inline]
    fn close(&mut self) {
        (self.shape[self.count], self.stride[self.count]) =
            (self.growing.extent, self.growing.stride);
        self.count += 1;
    }

    /// Writes the last mode: none is `1:0`. Nothing is added afterwards.
    #[inline]
    pub(crate) fn end(&mut self) {
        if self.growing.extent != 1 || self.count == 0 {
            self.close();
        }
    }

    /// Writes the last mode and one more behind it, whatever its extent. Nothing is added
    /// afterwards.
    #[inline]
    pub(crate) fn end_with(&mut self, last: DynMode) {
        self.grow(last);
        self.close();
    }

    #[inline]
    fn grow(&mut self, mode: DynMode) {
        if self.growing.continues_in(mode) {
            self.growing.extent *= mode.extent;
            return;
        }
        if self.growing.extent != 1 {
            self.close();
        }
        self.growing = mode;
    }

    /// Size and cosize of an ended list, if they fit `usize`.
    #[inline]
    pub(crate) fn measure(&self) -> Result<(usize, usize), Fault> {
        let modes = self.shape.iter().zip(&self.stride).take(self.count);
        measure(modes.map(|(&extent, &stride)| DynMode::new(extent, stride)))
    }

    /// The layout of an ended list with this size and cosize: one mode is itself, more are a tuple.
    ///
    /// A layout is some 250 bytes. It is written where it stays: moving it would take as long as
    /// all of coalesce.
    #[inline]
    pub(crate) fn layout(&self, (size, cosize): (usize, usize)) -> DynLayout {
        let mut profile = [0; 2 * SHORT];
        let mut nodes = 1;
        if self.count > 1 {
            profile[0] = tree::arity(self.count);
            nodes += self.count;
        }
        DynLayout {
            profile: Arities::from_buf_and_len(profile, nodes),
            shape: NumberList::from_buf_and_len(self.shape, self.count),
            stride: NumberList::from_buf_and_len(self.stride, self.count),
            kinds: Kinds::default(),
            size,
            cosize,
        }
    }
}

impl MergedList for ShortList {
    #[inline]
    fn push_merged(&mut self, mode: DynMode) {
        if mode.extent != 1 {
            self.grow(mode);
        }
    }
}
