//! Loops over elements become loops over bytes: which loops are the inner ones, and how.

use crate::axes::{Axis, ONE, join};
use crate::kernel::{Checked, FEW, Inner, LINE, Nest, listed_loops};
use crate::machine::{Caches, InstructionSet};

/// The most bytes of an element that moves through registers.
const LARGEST_UNIT: usize = 16;

/// The bytes up to which loops lengthen the rows of a transpose in the destination, and its columns
/// in the source; and the longest loop for this.
const LONG_ENOUGH: [usize; 2] = [1024, 256];
/// The bytes of a row to stream before loops lengthen the columns.
const STREAMED_FIRST: usize = 256;
const LONGEST_LIST: usize = 128;
/// A longer row or column is not lengthened further: each call would compute a list of its offsets,
/// of 8 MiB and more. Of 2 x 2 x 2^24 bytes such calls took 1.6 to 4.2 times as long.
const LONGEST_SIDE: usize = 1 << 20;

/// A transpose with less than a line of rows or columns moves element by element if the nearest
/// loops make a list of this length; a transpose of bytes needs fewer rows or columns than
/// `NARROW`.
const LEAST_LIST: usize = 64;
const NARROW: usize = 6;

/// Loops of rows are cut at this reach, so that the elements of a page are touched soon after one
/// another in both memories.
const PAGE: usize = 4096;
/// How many divisors of an extent are tried for a cut.
const TRIED: usize = 256;

/// Turns loops over elements, which [`normalize`] has sorted, into loops over bytes from these
/// offsets on.
pub(crate) fn nest(
    axes: &[Axis],
    element: usize,
    place: [usize; 2],
    mut set: InstructionSet,
    stream: bool,
) -> Checked {
    let bytes = element as isize;
    let mut unit = LARGEST_UNIT.min(1 << element.trailing_zeros());
    let mut axes: Vec<_> = axes
        .iter()
        .map(|axis| Axis { from: axis.from * bytes, to: axis.to * bytes, ..*axis })
        .collect();
    if unit < element {
        axes.insert(0, Axis { extent: element / unit, from: unit as isize, to: unit as isize });
        join(&mut axes);
    }
    // Elements that are contiguous in both layouts become one element, or a row.
    let side_by_side =
        axes.first().is_some_and(|axis| axis.from == axis.to && axis.to == unit as isize);
    let mut row = unit;
    if side_by_side {
        row *= axes.remove(0).extent;
        if row.is_power_of_two() && row <= LARGEST_UNIT {
            unit = row;
        }
    }
    // The axes with the shortest steps, in the destination and in the source.
    let nearest = |axes: &[Axis]| {
        let moving = axes.iter().enumerate().filter(|(_, axis)| axis.from != 0);
        moving.min_by_key(|(_, axis)| axis.from.unsigned_abs()).map(|(k, _)| k)
    };
    let mut i = ONE;
    let j = match nearest(&axes) {
        None | Some(0) => {
            if !axes.is_empty() {
                i = axes.remove(0);
            }
            nearest(&axes)
        }
        Some(k) => {
            i = axes.remove(0);
            Some(k - 1)
        }
    };
    let j = j.map_or(ONE, |k| axes.remove(k));
    let e = unit as isize;
    let mut inner = match (row > unit || axes.is_empty() && i == ONE, i.to == e && j.from == e) {
        (true, _) => Inner::Rows { bytes: row, i, j },
        (_, true) => Inner::Transpose { unit, i, j },
        _ => Inner::Elements { unit, i, j },
    };
    let is_short = i.extent.saturating_mul(j.extent) <= FEW;
    let by_pages = |axes: &[Axis]| {
        // Loops over pages are separate from loops within a page, which stay adjacent.
        let mut axes = Vec::from_iter(axes.iter().flat_map(|axis| cut(*axis, PAGE)));
        axes.sort_by_key(near);
        axes
    };
    let mut longer = [Vec::new(), Vec::new()];
    if let Inner::Transpose { .. } = inner {
        let all = axes.clone();
        let makes_lists = i.extent.max(j.extent) <= LONGEST_SIDE;
        // Rows that are adjacent in the destination stay so. Rows of some lines leave the short
        // steps in the source to the columns.
        let enough = if j.to == (unit * i.extent) as isize { LINE } else { LONG_ENOUGH[1] };
        let first = if stream { STREAMED_FIRST } else { LINE };
        let needs = [(0, first), (1, enough), (0, LONG_ENOUGH[0])];
        for (side, enough) in needs.into_iter().filter(|_| makes_lists) {
            let step = [|axis: &Axis| axis.to, |axis: &Axis| axis.from][side];
            let extents = longer[side].iter().map(|axis: &Axis| axis.extent);
            let run = unit * [i, j][side].extent * extents.product::<usize>();
            let more = go_on(&mut axes, run, enough, step);
            longer[side].extend(more);
        }
        // If a row or a column is shorter than a line, and the nearest loops make a list, the list
        // is faster.
        let [rows, columns] = [(i, &longer[0]), (j, &longer[1])].map(|(first, longer)| {
            longer.iter().map(|axis| axis.extent).product::<usize>() * first.extent
        });
        // Streamed rows are whole lines, also with few columns.
        let least = if stream { rows } else { rows.min(columns) };
        let is_narrow = least * unit < LINE && (unit >= 4 || least < NARROW);
        let length = || listed_loops(i, j, &by_pages(&all)).map_or(0, |(_, length)| length);
        // Beyond the first cache, registers of AVX2 are up to 2.8 times as fast where a side does
        // not fill a register of AVX-512: 2 to 7 elements of 8 bytes, or 5 to 15 of 4 (up to 4 are
        // pixels). They are up to 1.5 times as fast where rows of some lines begin at any place of
        // a line: each store of AVX-512 touches two lines then.
        if set == InstructionSet::Avx512 && !stream {
            let few = match unit {
                4 => 5..16,
                8 => 2..8,
                _ => 0..0,
            };
            let loops = all.iter().chain([&i, &j]).map(|axis| axis.extent);
            let moved = loops.fold(2 * unit, usize::saturating_mul);
            let begins_in_halves = j.to % (LINE as isize / 2) == 0;
            let is_cut = unit >= 4 && rows * unit >= 3 * LINE && !begins_in_halves;
            let fits = moved <= Caches::of_this_machine().first;
            if (is_cut || few.contains(&rows.min(columns))) && !fits {
                set = InstructionSet::Avx2;
            }
        }
        if is_narrow && is_short && length() >= LEAST_LIST {
            (inner, longer, axes) = (Inner::Elements { unit, i, j }, Default::default(), all);
        }
    }
    if is_short && !matches!(inner, Inner::Transpose { .. }) {
        axes = by_pages(&axes);
    }
    // Near elements of either memory are touched soon after one another.
    axes.sort_by_key(near);
    Nest {
        outer: axes,
        inner,
        longer,
        from: place[0] * element,
        to: place[1] * element,
        stream,
        set,
    }
    .checked()
}

/// The shorter step of a loop; a step of 0 in the source does not count.
fn near(axis: &Axis) -> usize {
    match axis.from.unsigned_abs() {
        0 => axis.to.unsigned_abs(),
        from => from.min(axis.to.unsigned_abs()),
    }
}

/// Cuts a loop in two, so that the first one spans at least `reach` in the memory where its steps
/// are shorter. A loop without such a cut stays whole.
fn cut(axis: Axis, reach: usize) -> Vec<Axis> {
    let least = reach.div_ceil(near(&axis).max(1)).max(2);
    let part = (least..axis.extent).take(TRIED).find(|&part| axis.extent.is_multiple_of(part));
    part.map_or(vec![axis], |part| axis.cut(part).to_vec())
}

/// Removes the loops that continue a run of `run` bytes, until it is long enough.
fn go_on(
    axes: &mut Vec<Axis>,
    mut run: usize,
    enough: usize,
    step: fn(&Axis) -> isize,
) -> Vec<Axis> {
    let mut longer = Vec::new();
    while run < enough {
        let Some(k) = axes.iter().position(|axis| step(axis) == run as isize) else { break };
        let mut parts = vec![axes[k]];
        if parts[0].extent > LONGEST_LIST {
            // Takes only the needed part of a longer loop.
            let least = enough.div_ceil(run).max(2);
            let divides = |&part: &usize| parts[0].extent.is_multiple_of(part);
            let Some(part) = (least..=LONGEST_LIST).find(divides) else { break };
            parts = parts[0].cut(part).to_vec();
        }
        axes.splice(k..=k, parts[1..].iter().copied());
        longer.push(parts[0]);
        run *= parts[0].extent;
    }
    longer
}
