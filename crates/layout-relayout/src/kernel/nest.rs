//! A list of loops over bytes, and the checks before the loops run. No unsafe code.

use std::ops::Deref;

use super::lists::{LONGEST_LIST, Listing, listed, listing};
use crate::axes::Axis;
use crate::machine::InstructionSet;

/// The most loops around the inner loops: each has two steps or more.
pub(super) const LOOPS: usize = 64;

/// The bytes of a cache line.
pub(crate) const LINE: usize = 64;

/// Loops over bytes: the outer loops, the outermost last, and the work of each step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Nest {
    pub(crate) outer: Vec<Axis>,
    pub(crate) inner: Inner,
    /// For a transpose, the loops that lengthen its rows in the destination, and its columns in the
    /// source.
    pub(crate) longer: [Vec<Axis>; 2],
    /// The offset of the first byte in the source and in the destination.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Whether whole lines of the destination bypass the cache.
    pub(crate) stream: bool,
    pub(crate) set: InstructionSet,
}

/// The work of each step of the outer loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inner {
    /// Rows of bytes that are contiguous in both memories.
    Rows { bytes: usize, i: Axis, j: Axis },
    /// Elements of `unit` bytes, contiguous in the destination along `i`, and in the source along
    /// `j`.
    Transpose { unit: usize, i: Axis, j: Axis },
    /// Single elements of `unit` bytes.
    Elements { unit: usize, i: Axis, j: Axis },
}

impl Nest {
    /// The inner loops, as axes of bytes.
    pub(super) fn inner_axes(&self) -> [Axis; 3] {
        match self.inner {
            Inner::Rows { bytes, i, j } => [Axis { extent: bytes, from: 1, to: 1 }, i, j],
            Inner::Transpose { unit, i, j } => {
                let e = unit as isize;
                [Axis { extent: unit, from: 1, to: 1 }, Axis { to: e, ..i }, Axis { from: e, ..j }]
            }
            Inner::Elements { unit, i, j } => [Axis { extent: unit, from: 1, to: 1 }, i, j],
        }
    }

    pub(super) fn axes(&self) -> impl Iterator<Item = Axis> + '_ {
        self.inner_axes()
            .into_iter()
            .chain(self.longer.iter().flatten().copied())
            .chain(self.outer.iter().copied())
    }

    /// How far the loops reach before and after the first byte of a memory, if both fit in `isize`.
    fn reach(&self, step: fn(&Axis) -> isize) -> Option<[isize; 2]> {
        let mut ends = [0_isize; 2];
        for axis in self.axes() {
            let last = isize::try_from(axis.extent).ok()?.checked_sub(1)?;
            let reach = last.checked_mul(step(&axis))?;
            let end = if reach < 0 { &mut ends[0] } else { &mut ends[1] };
            *end = end.checked_add(reach)?;
        }
        Some(ends)
    }

    /// Whether no byte of the destination is written twice: each step exceeds the reach of the
    /// smaller steps.
    pub(super) fn is_disjoint(&self) -> bool {
        let mut axes: Vec<_> = self.axes().filter(|axis| axis.extent > 1).collect();
        axes.sort_by_key(|axis| axis.to.unsigned_abs());
        let mut reach = 0u128;
        axes.iter().all(|axis| {
            let apart = axis.to.unsigned_abs() as u128 > reach;
            let end = reach.checked_add((axis.extent as u128 - 1) * axis.to.unsigned_abs() as u128);
            reach = end.unwrap_or(u128::MAX);
            apart
        })
    }

    fn is_empty(&self) -> bool {
        self.axes().any(|axis| axis.extent == 0)
    }

    /// The loops, checked.
    ///
    /// # Panics
    /// If the reach of the loops exceeds `isize`, or the processor does not have the instruction
    /// set: no plan does so.
    #[track_caller]
    pub(crate) fn checked(self) -> Checked {
        let is_empty = self.is_empty();
        let reach = if is_empty {
            [[0; 2]; 2]
        } else {
            let reach = [self.reach(|axis| axis.from), self.reach(|axis| axis.to)];
            reach
                .map(|ends| ends.unwrap_or_else(|| panic!("loops that leave all memory: {self:?}")))
        };
        assert!(
            self.set.is_available(),
            "loops for {}, which this processor does not have",
            self.set
        );
        // Streamed bytes must not be written again before a fence.
        assert!(
            !self.stream || self.is_disjoint(),
            "streamed loops that write a byte twice: {self:?}"
        );
        assert!(self.outer.len() <= LOOPS, "more than {LOOPS} loops: {self:?}");
        if let Inner::Transpose { unit, .. } | Inner::Elements { unit, .. } = self.inner {
            assert!(matches!(unit, 1 | 2 | 4 | 8 | 16), "elements of {unit} bytes");
        }
        let mut lists = None;
        if let Inner::Transpose { unit, i, j } = self.inner {
            let goes_on = |run: isize, longer: &[Axis], step: fn(&Axis) -> isize| {
                let next =
                    |run, axis: &Axis| (step(axis) == run).then_some(run * axis.extent as isize);
                longer.iter().try_fold(run, next).is_some()
            };
            let row = goes_on((unit * i.extent) as isize, &self.longer[0], |axis| axis.to);
            let column = goes_on((unit * j.extent) as isize, &self.longer[1], |axis| axis.from);
            assert!(row && column, "rows or columns with gaps: {self:?}");
            let is_listed = self.longer.iter().any(|longer| !longer.is_empty());
            if is_listed && i.extent.max(j.extent) <= LONGEST_LIST {
                lists = Some(self.lists());
            }
        }
        let listing = match self.inner {
            Inner::Rows { bytes, i, j } => listing(bytes, i, j, &self.outer),
            Inner::Elements { unit, i, j } => listing(unit, i, j, &self.outer),
            Inner::Transpose { .. } => None,
        };
        let side_by_side = match self.inner {
            Inner::Rows { bytes, i, j }
                if i.extent == 1 && j.extent == 1 && self.outer.is_empty() && !self.stream =>
            {
                Some(bytes)
            }
            _ => None,
        };
        Checked { nest: self, is_empty, reach, side_by_side, lists, listing }
    }

    /// The offsets of a transpose's rows in the source, and of its columns in the destination.
    pub(super) fn lists(&self) -> [Vec<isize>; 2] {
        let Inner::Transpose { i, j, .. } = self.inner else { return Default::default() };
        [listed(i, &self.longer[0], |axis| axis.from), listed(j, &self.longer[1], |axis| axis.to)]
    }

    #[cfg(feature = "rayon")]
    pub(super) fn bytes(&self) -> usize {
        self.axes().map(|axis| axis.extent).product()
    }

    /// The two halves of the loops, cut along the axis with the longest reach in the destination.
    #[cfg(feature = "rayon")]
    pub(super) fn halves(&self) -> Option<[Nest; 2]> {
        let axes: Vec<_> = self.axes().collect();
        // Parts have whole lines, tiles and elements; the rows of a part are several lines in the
        // source.
        let least = |k: usize| match (self.inner, k) {
            (Inner::Rows { .. }, 0) => 4096,
            (Inner::Transpose { unit, .. }, 1) => 4 * LINE / unit,
            (Inner::Transpose { unit, .. }, 2) => 8 * LINE / unit,
            (_, 0) => usize::MAX,
            _ => 1,
        };
        let longer = self.longer[0].len() + self.longer[1].len();
        // An axis that other loops lengthen is not cut.
        let is_whole = |k: usize| if longer > 0 { k < 3 + longer } else { false };
        let cuts = |&k: &usize| !is_whole(k) && axes[k].extent / 2 >= least(k);
        let k = (0..axes.len())
            .filter(cuts)
            .max_by_key(|&k| axes[k].extent as i128 * axes[k].to as i128)?;
        let at = (axes[k].extent / 2).next_multiple_of(least(k));
        let part = |extent: usize, first: usize| {
            let mut part = self.clone();
            part.from = part.from.wrapping_add_signed(first as isize * axes[k].from);
            part.to = part.to.wrapping_add_signed(first as isize * axes[k].to);
            match (&mut part.inner, k) {
                (Inner::Rows { bytes, .. }, 0) => *bytes = extent,
                (
                    Inner::Rows { i, .. } | Inner::Transpose { i, .. } | Inner::Elements { i, .. },
                    1,
                ) => i.extent = extent,
                (
                    Inner::Rows { j, .. } | Inner::Transpose { j, .. } | Inner::Elements { j, .. },
                    2,
                ) => j.extent = extent,
                _ => part.outer[k - 3 - longer].extent = extent,
            }
            part
        };
        Some([part(at, 0), part(axes[k].extent - at, at)])
    }
}

/// Loops that passed all checks but those of the slices, and their lists. The loops are immutable.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    nest: Nest,
    is_empty: bool,
    /// How far the loops reach before and after the first byte, in the source and the destination.
    reach: [[isize; 2]; 2],
    /// The number of all bytes, if they are contiguous in both memories and not streamed.
    pub(super) side_by_side: Option<usize>,
    /// [`Nest::lists`], if the lists are short.
    pub(super) lists: Option<[Vec<isize>; 2]>,
    /// The nearest loops of short rows and elements.
    pub(super) listing: Option<Listing>,
}

impl Deref for Checked {
    type Target = Nest;
    fn deref(&self) -> &Nest {
        &self.nest
    }
}

impl Checked {
    /// The loops with a change, checked again.
    ///
    /// # Panics
    /// As [`Nest::checked`].
    #[track_caller]
    pub(crate) fn with(&self, change: impl FnOnce(&mut Nest)) -> Self {
        let mut nest = self.nest.clone();
        change(&mut nest);
        nest.checked()
    }

    /// Whether there are bytes to move. All bytes lie in slices of these lengths, if the first
    /// bytes are at these offsets.
    ///
    /// # Panics
    /// If a loop leaves a slice.
    #[inline]
    #[track_caller]
    pub(super) fn fits(&self, places: [usize; 2], lengths: [usize; 2]) -> bool {
        if self.is_empty {
            return false;
        }
        for k in 0..2 {
            let [before, behind] = self.reach[k];
            let last = places[k].checked_add_signed(behind);
            let fits =
                places[k] >= before.unsigned_abs() && last.is_some_and(|last| last < lengths[k]);
            assert!(fits, "loops that leave their slices: {:?}", self.nest);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Loops that reach beyond any slice have no reach.
    #[test]
    fn reaches_that_overflow_lie_nowhere() {
        let far = Axis { extent: usize::MAX, from: isize::MIN, to: isize::MIN };
        for outer in [vec![far], vec![far; 2], vec![far; 4]] {
            let inner = Inner::Elements { unit: 1, i: far, j: far };
            let set = InstructionSet::Portable;
            let nest =
                Nest { outer, inner, longer: [vec![], vec![]], from: 0, to: 0, stream: false, set };
            assert_eq!(nest.reach(|axis| axis.from), None, "{nest:?}");
            assert!(!nest.is_disjoint(), "{nest:?}");
        }
    }
}
