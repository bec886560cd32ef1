//! Flat lists of modes, on which the algebra works.
//!
//! ```text
//! (s0:d0)(s1:s0*d0) = s0*s1:d0     neighbours of which one continues the other are one mode
//! (1:d)             = nothing      a mode of extent 1 never moves
//! ```

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::error::Fault;

/// One mode of a flat layout: `extent` steps of `stride`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DynMode {
    pub(crate) extent: usize,
    pub(crate) stride: usize,
}

impl DynMode {
    /// The mode `extent:stride`.
    #[inline]
    pub(crate) const fn new(extent: usize, stride: usize) -> Self {
        DynMode { extent, stride }
    }

    /// Whether `next` continues this mode: its stride is where this mode ends.
    #[inline]
    pub(crate) fn continues_in(self, next: DynMode) -> bool {
        self.extent.checked_mul(self.stride) == Some(next.stride)
    }
}

/// Modes from left to right.
pub(crate) type DynModes = SmallVec<[DynMode; 8]>;

/// A list of modes: none has extent 1, and none continues the one before.
pub(crate) trait MergedList {
    /// Adds a mode: dropped if its extent is 1, joined to the last mode if it continues that.
    ///
    /// The extents are those of a layout, or multiply to what fits `usize`, so that the joined
    /// extent does.
    fn push_merged(&mut self, mode: DynMode);
}

impl MergedList for DynModes {
    #[inline]
    fn push_merged(&mut self, mode: DynMode) {
        if mode.extent == 1 {
            return;
        }
        match self.last_mut() {
            Some(last) if last.continues_in(mode) => last.extent *= mode.extent,
            _ => self.push(mode),
        }
    }
}

/// The fewest modes of the same function.
#[inline]
pub(crate) fn merged(modes: impl IntoIterator<Item = DynMode>) -> DynModes {
    let mut list = DynModes::new();
    modes.into_iter().for_each(|mode| list.push_merged(mode));
    list
}

/// Sorts by stride; equal strides keep their order. Short lists, the usual ones, take no memory and
/// little time.
#[inline]
pub(crate) fn sort_by_stride<T: Copy>(list: &mut [T], stride: fn(&T) -> usize) {
    const FEW: usize = 24;
    if list.len() > FEW {
        return sort_many(list, stride);
    }
    for end in 1..list.len() {
        let (item, mut at) = (list[end], end);
        while at > 0 && stride(&list[at - 1]) > stride(&item) {
            list[at] = list[at - 1];
            at -= 1;
        }
        list[at] = item;
    }
}

/// The same for a list of any length. The sort of the standard library is long, and compiled anew
/// for every type and key: here strides alone are sorted, each with its place, so that there is one
/// of it.
fn sort_many<T: Copy>(list: &mut [T], stride: fn(&T) -> usize) {
    let mut places: Vec<(usize, usize)> = list.iter().map(stride).zip(0..).collect();
    places.sort_unstable();
    let before = list.to_vec();
    for (item, (_, place)) in list.iter_mut().zip(places) {
        *item = before[place];
    }
}

/// Size and cosize of modes, if they fit `usize`.
#[inline]
pub(crate) fn measure(modes: impl Iterator<Item = DynMode>) -> Result<(usize, usize), Fault> {
    let (mut size, mut last, mut empty) = (1usize, 0usize, false);
    for DynMode { extent, stride } in modes {
        if extent == 0 {
            empty = true;
            continue;
        }
        size = size.checked_mul(extent).ok_or(Fault::Overflow)?;
        let reach = (extent - 1).checked_mul(stride).ok_or(Fault::Overflow)?;
        last = last.checked_add(reach).ok_or(Fault::Overflow)?;
    }
    let cosize = last.checked_add(1).ok_or(Fault::Overflow)?;
    Ok(if empty { (0, 0) } else { (size, cosize) })
}
