//! Loops as lists of offsets: a step of a list costs less than a step of a loop. No unsafe code.

use crate::axes::Axis;

/// Shorter rows move register by register; longer rows are streamed, or moved by the system's
/// `memcpy`.
pub(super) const STREAMED_ROW: usize = 1024;
/// If the innermost loops have at most `FEW` steps, these loops and some outer loops become a list
/// of at most `LISTED` offsets.
pub(crate) const FEW: usize = 96;
const LISTED: usize = 512;
/// The bytes of the buffer that gathers the parts of lines, before the lines are streamed.
pub(super) const BUFFER: usize = 40 << 10;

/// The nearest loops of short rows or elements as a list of offsets, in the order of the
/// destination.
#[derive(Clone, Debug)]
pub(crate) struct Listing {
    /// The offsets in the destination and in the source.
    pub(super) list: Vec<(isize, isize)>,
    /// For each run of rows that are adjacent in the destination and fit in the buffer, the first
    /// row and the end.
    pub(super) runs: Vec<(usize, usize)>,
    /// How many of the outer loops are in the list.
    pub(super) loops: usize,
}

/// How many of the outer loops fit in a list together with the two nearest loops, and the length of
/// the list; `None` if the nearest loops have more than `FEW` steps.
pub(crate) fn listed_loops(i: Axis, j: Axis, outer: &[Axis]) -> Option<(usize, usize)> {
    let mut length = i.extent.checked_mul(j.extent).filter(|&steps| steps <= FEW)?;
    let fits = |axis: &&Axis| {
        let fits = axis.extent <= LISTED / length.max(1);
        length *= if fits { axis.extent } else { 1 };
        fits
    };
    Some((outer.iter().take_while(fits).count(), length))
}

/// The list of short rows or elements, if the two nearest loops have few steps.
pub(super) fn listing(bytes: usize, i: Axis, j: Axis, outer: &[Axis]) -> Option<Listing> {
    let (loops, length) = listed_loops(i, j, outer).filter(|_| bytes < STREAMED_ROW)?;
    let mut axes = vec![i, j];
    axes.extend(&outer[..loops]);
    axes.sort_by_key(|axis| axis.to);
    let mut list = Vec::with_capacity(length);
    list.push((0, 0));
    for axis in axes {
        for k in 1..axis.extent as isize {
            let before = list.len() / k as usize;
            for at in 0..before {
                let (to, from) = list[at];
                list.push((to + k * axis.to, from + k * axis.from));
            }
        }
    }
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (k, &(at, _)) in list.iter().enumerate() {
        match runs.last_mut() {
            Some((first, end))
                if list[*end - 1].0 + bytes as isize == at
                    && (k + 1 - *first) * bytes <= BUFFER =>
            {
                *end = k + 1
            }
            _ => runs.push((k, k + 1)),
        }
    }
    Some(Listing { list, runs, loops })
}

/// The longest list that a plan keeps; each call computes a longer list.
pub(super) const LONGEST_LIST: usize = 4096;

/// The offsets at all steps of the given loops; the first loop is the innermost.
pub(super) fn listed(first: Axis, longer: &[Axis], step: fn(&Axis) -> isize) -> Vec<isize> {
    let axes = [first].into_iter().chain(longer.iter().copied());
    let mut list = vec![0; axes.clone().map(|axis| axis.extent).product()];
    let mut done = 1;
    for axis in axes {
        let (before, rest) = list.split_at_mut(done);
        for (k, part) in (1..axis.extent as isize).zip(rest.chunks_exact_mut(done)) {
            for (at, before) in part.iter_mut().zip(&*before) {
                *at = before + k * step(&axis);
            }
        }
        done *= axis.extent;
    }
    list
}
