//! A number for each axis: up to 8 inline, up to 32 on the heap.

use alloc::boxed::Box;
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::error::MAX_RANK;

/// The most numbers that are stored inline.
const NEAR: usize = 8;

/// At most [`MAX_RANK`] numbers.
#[derive(Clone)]
pub(crate) struct List<T> {
    len: usize,
    near: [T; NEAR],
    /// All numbers, once there are more than [`NEAR`].
    far: Option<Box<[T; MAX_RANK]>>,
}

impl<T: Copy + Default> List<T> {
    /// `len` zeros. The caller has checked the rank.
    #[inline(always)]
    pub(crate) fn zeros(len: usize) -> Self {
        debug_assert!(len <= MAX_RANK);
        let far = if len > NEAR { Some(Box::new([T::default(); MAX_RANK])) } else { None };
        List { len, near: [T::default(); NEAR], far }
    }

    /// Keeps the first `len` numbers.
    pub(crate) fn shorten(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[T] {
        match &self.far {
            None => &self.near[..self.len],
            Some(far) => &far[..self.len],
        }
    }

    #[inline]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        match &mut self.far {
            None => &mut self.near[..self.len],
            Some(far) => &mut far[..self.len],
        }
    }
}

impl<T: Copy + Default + PartialEq> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}
impl<T: Copy + Default + Eq> Eq for List<T> {}
impl<T: Copy + Default + Hash> Hash for List<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}
impl<T: Copy + Default + fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}
