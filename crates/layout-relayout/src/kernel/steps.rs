//! The order of the steps of loops.

use std::mem::MaybeUninit;

use super::nest::LOOPS;
use crate::axes::Axis;

/// The steps of the outer loops, each as the distance in bytes from the first step.
pub(super) struct Steps<'n> {
    axes: &'n [Axis],
    /// One for each loop.
    counts: [MaybeUninit<usize>; LOOPS],
    next: Option<(isize, isize)>,
}

impl<'n> Steps<'n> {
    #[inline(always)]
    pub(super) fn new(axes: &'n [Axis]) -> Self {
        let mut counts = [const { MaybeUninit::uninit() }; LOOPS];
        counts[..axes.len()].fill(MaybeUninit::new(0));
        Steps { axes, counts, next: Some((0, 0)) }
    }

    /// The step that [`next`](Self::next) returns next.
    #[inline(always)]
    pub(super) fn peek(&self) -> Option<(isize, isize)> {
        self.next
    }

    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<(isize, isize)> {
        let (mut from, mut to) = self.next?;
        self.next = None;
        let now = (from, to);
        for (axis, count) in self.axes.iter().zip(&mut self.counts) {
            // SAFETY: `new` wrote a count for each loop.
            let count = unsafe { count.assume_init_mut() };
            *count += 1;
            if *count < axis.extent {
                self.next = Some((from + axis.from, to + axis.to));
                break;
            }
            from -= (*count as isize - 1) * axis.from;
            to -= (*count as isize - 1) * axis.to;
            *count = 0;
        }
        Some(now)
    }
}

/// The coordinates of two loops in blocks, so that near elements of either memory are touched soon
/// after one another; without blocks if the first loop has the shorter steps in both memories.
pub(super) struct Blocks {
    side: usize,
    extents: [usize; 2],
    first: [usize; 2],
    at: [usize; 2],
}

impl Blocks {
    const SIDE: usize = 32;

    #[inline(always)]
    pub(super) fn new(i: Axis, j: Axis) -> Self {
        let side = if is_nearer(i, j) { i.extent } else { Self::SIDE };
        Blocks { side, extents: [i.extent, j.extent], first: [0; 2], at: [0; 2] }
    }

    /// The first coordinates of a row of a block, and the length of the row.
    #[inline(always)]
    pub(super) fn next_row(&mut self) -> Option<(usize, usize, usize)> {
        let ([i, j], [_, at]) = (self.first, self.at);
        let [rows, columns] = self.extents;
        if j >= columns {
            return None;
        }
        let row = (i, at, self.side.min(rows - i));
        if at + 1 < columns.min(j + Self::SIDE) {
            self.at[1] += 1;
        } else if self.side < rows - i {
            (self.first[0], self.at[1]) = (i + self.side, j);
        } else {
            (self.first, self.at[1]) = ([0, j + Self::SIDE], j + Self::SIDE);
        }
        Some(row)
    }
}

/// Whether the steps of `i` are shorter in both memories.
#[inline(always)]
pub(super) fn is_nearer(i: Axis, j: Axis) -> bool {
    i.from.unsigned_abs() <= j.from.unsigned_abs() && i.to.unsigned_abs() <= j.to.unsigned_abs()
}
