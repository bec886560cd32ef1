//! Reductions: rows in registers, rows added to a row, and results side by side.
//!
//! ```text
//! to[t] = f(to[t], from[s])  for all steps of the loops, each to the places (s, t)
//! kept loops move t, each step to another t; loops that are gone stay at t
//! ```
//!
//! A reduction chooses its inner loops once, when a plan first reduces.

use std::ops::Range;

use bytemuck::Pod;

use super::registers::Register;
use super::run::{Task, compiled_if_available};
use crate::axes::{Axis, ONE, join, normalize};
use crate::machine::InstructionSet;

/// The most elements of a row to which other rows are added: they stay in the first cache.
const ROW: usize = 8192;
/// The elements of a row from which a loop that is gone makes no longer row.
const LONG: usize = 512;
/// The most elements whose rows are reduced in registers although they are apart: the second cache
/// holds them.
const NEAR: usize = 32768;
/// The rows that are added at once.
const ROWS: usize = 4;
/// The elements to which a row is reduced in registers, and the results that registers hold at once
/// if the elements of the source are adjacent.
const LANES: usize = 32;
/// The elements to which a long row of narrow elements is reduced.
const WIDE: usize = 64;
/// The results that registers hold at once if the elements of the source are apart.
const APART: usize = 8;

/// The loops of a reduction.
#[derive(Clone, Debug)]
pub(crate) struct Reduction {
    first: [usize; 2],
    /// The loops that move in the destination, each step to another offset.
    kept: Vec<Axis>,
    parts: Vec<Part>,
}

/// A part of a reduction: the offsets of the first coordinate, and the outer loops.
#[derive(Clone, Debug)]
struct Part {
    first: [usize; 2],
    outer: Vec<Axis>,
    inner: Inner,
}

#[derive(Clone, Debug)]
enum Inner {
    /// A row of the source is reduced in registers.
    Row(usize),
    /// Rows of this length are added to the first of them, along the `gone` loops. Then the sums
    /// are reduced.
    Rows {
        length: usize,
        gone: Vec<Axis>,
        sums: Sums,
    },
    Sums(Sums),
}

/// A loop that moves in the destination, whose results are held in registers; a loop that does not
/// move there; and all other loops.
#[derive(Clone, Debug)]
struct Sums {
    kept: Axis,
    gone: Axis,
    outer: Vec<Axis>,
}

impl Reduction {
    /// The reduction by these loops; `None` if two kept coordinates might share an element of the
    /// destination.
    pub(crate) fn of(axes: &[Axis], [mut source, mut target]: [usize; 2]) -> Option<Reduction> {
        let (mut kept, mut gone): (Vec<Axis>, Vec<Axis>) =
            axes.iter().filter(|axis| axis.extent > 1).partition(|axis| axis.to != 0);
        for axis in gone.iter_mut().filter(|axis| axis.from < 0) {
            source = source.wrapping_add_signed((axis.extent as isize - 1) * axis.from);
            axis.from = -axis.from;
        }
        gone.sort_by_key(|axis| axis.from);
        join(&mut gone);
        normalize(&mut kept, &mut source, &mut target).then(|| {
            let first = [source, target];
            Reduction { first, parts: parts(first, &kept, &gone), kept }
        })
    }

    /// Calls `f` with the offsets of one element of each result.
    pub(crate) fn each_result(&self, mut f: impl FnMut(usize, usize)) {
        let (nearest, outer) = self.kept.split_first().unwrap_or((&ONE, &[]));
        for [s, t] in Steps::new(outer, &mut vec![0; outer.len()], self.first) {
            for n in 0..nearest.extent as isize {
                let at = |place: usize, step: isize| place.wrapping_add_signed(n * step);
                f(at(s, nearest.from), at(t, nearest.to));
            }
        }
    }

    /// Reduces elements of `from` with `f` to elements of `to`.
    pub(crate) fn run<T: Pod>(
        &self,
        set: InstructionSet,
        from: &[T],
        to: &mut [T],
        f: impl Fn(T, T) -> T,
    ) {
        for part in &self.parts {
            compiled_if_available(set, Run { part, from, to, f: &f });
        }
    }
}

/// Chooses the inner loops.
fn parts(first: [usize; 2], kept: &[Axis], gone: &[Axis]) -> Vec<Part> {
    let mut outer: Vec<Axis> = gone.iter().chain(kept).copied().collect();
    let is_long = |axis: &Axis| axis.from == 1 && axis.to == 0 && axis.extent >= LANES;
    if let Some(k) = outer.iter().position(is_long) {
        let inner = Inner::Row(outer.remove(k).extent);
        outer.sort_by_key(|axis| axis.from.unsigned_abs());
        return vec![Part { first, outer, inner }];
    }
    let of_sums =
        |first, axes| Part { first, outer: Vec::new(), inner: Inner::Sums(Sums::new(axes)) };
    // A row: loops that are contiguous in the source.
    let (mut row, mut length) = (Vec::new(), 1);
    while length < ROW
        && let Some(k) = outer.iter().position(|axis| axis.from == length as isize)
    {
        length *= outer[k].extent;
        row.push(outer.remove(k));
    }
    let Some(last) = row.pop().filter(|_| length >= LANES) else {
        return vec![of_sums(first, gone.iter().chain(kept).copied().collect())];
    };
    // Rows of a near block need no sums in memory.
    if last.to == 0 && length <= NEAR && outer.iter().all(|axis| axis.to != 0) {
        return vec![of_sums(first, row.into_iter().chain([last]).chain(outer).collect())];
    }
    // The last loop is cut into rows; the last row may be shorter.
    let within = length / last.extent;
    let most = if last.to == 0 { LONG } else { ROW } / within;
    let most = most.clamp(1, last.extent);
    let (count, rest) = (last.extent / most, last.extent % most);
    let step = |by: usize, steps: usize| by.wrapping_add_signed(steps as isize * last.from);
    let behind = [step(first[0], count * most), first[1] + count * most * last.to as usize];
    let part = |first, count: usize, extent: usize| {
        let n = extent as isize;
        let rows = Axis { extent: count, from: n * last.from, to: n * last.to };
        let row = row.iter().copied().chain([Axis { extent, ..last }]);
        let loops = [rows].into_iter().filter(|rows| rows.extent > 1).chain(outer.iter().copied());
        let (outer, gone): (Vec<Axis>, Vec<Axis>) = loops.partition(|axis| axis.to != 0);
        if gone.is_empty() {
            return of_sums(first, row.chain(outer).collect());
        }
        let sums = Sums::new(row.collect());
        Part { first, outer, inner: Inner::Rows { length: within * extent, gone, sums } }
    };
    let all = [(first, count, most), (behind, 1, rest)];
    all.into_iter().filter(|own| own.2 > 0).map(|(first, count, n)| part(first, count, n)).collect()
}

impl Sums {
    fn new(mut axes: Vec<Axis>) -> Sums {
        let mut take = |key: &dyn Fn(&Axis) -> usize| {
            let best = (0..axes.len()).max_by_key(|&k| key(&axes[k]));
            let best = best.filter(|&k| key(&axes[k]) > 0);
            best.map_or(ONE, |k| axes.remove(k))
        };
        // Adjacent elements of the source are loaded together.
        let kept = take(&|axis| match axis {
            Axis { to: 0, .. } => 0,
            Axis { from: 1, extent: APART.., .. } => usize::MAX,
            _ => axis.extent,
        });
        let gone = take(&|axis| if axis.to == 0 { axis.extent } else { 0 });
        Sums { kept, gone, outer: axes }
    }

    /// Reduces elements of `from` to elements of `to`.
    #[inline(always)]
    fn run<T: Pod>(
        &self,
        from: &[T],
        to: &mut [T],
        first: [usize; 2],
        at: &mut [usize],
        f: &impl Fn(T, T) -> T,
    ) {
        let Sums { kept, gone, outer } = self;
        for [s, t] in Steps::new(outer, at, first) {
            let place =
                |s: usize, axis: &Axis, n: usize| s.wrapping_add_signed(n as isize * axis.from);
            let mut n = 0;
            if kept.from == 1 {
                while n + LANES <= kept.extent {
                    let row = |k: usize| from[place(s + n, gone, k)..].first_chunk::<LANES>();
                    let mut sums = *row(0).expect("a row of the source");
                    for k in 1..gone.extent {
                        let row = row(k).expect("a row of the source");
                        sums.iter_mut().zip(row).for_each(|(sum, &x)| *sum = f(*sum, x));
                    }
                    if kept.to == 1 {
                        let to = to[t + n..t + n + LANES].iter_mut();
                        to.zip(sums).for_each(|(to, x)| *to = f(*to, x));
                    } else {
                        for (j, x) in sums.into_iter().enumerate() {
                            let to = &mut to[t + (n + j) * kept.to as usize];
                            *to = f(*to, x);
                        }
                    }
                    n += LANES;
                }
            } else {
                while n + APART <= kept.extent {
                    let places: [usize; APART] = std::array::from_fn(|j| place(s, kept, n + j));
                    let mut sums = places.map(|s| from[s]);
                    for k in 1..gone.extent {
                        for (sum, &s) in sums.iter_mut().zip(&places) {
                            *sum = f(*sum, from[place(s, gone, k)]);
                        }
                    }
                    for (j, x) in sums.into_iter().enumerate() {
                        let to = &mut to[t + (n + j) * kept.to as usize];
                        *to = f(*to, x);
                    }
                    n += APART;
                }
            }
            for n in n..kept.extent {
                let s = place(s, kept, n);
                let sum = (1..gone.extent).fold(from[s], |sum, k| f(sum, from[place(s, gone, k)]));
                let to = &mut to[t + n * kept.to as usize];
                *to = f(*to, sum);
            }
        }
    }
}

/// Runs a part of a reduction.
struct Run<'a, T, F> {
    part: &'a Part,
    from: &'a [T],
    to: &'a mut [T],
    f: F,
}

impl<T: Pod, F: Fn(T, T) -> T> Task for Run<'_, T, F> {
    #[inline(always)]
    fn run<V: Register>(self) {
        let Run { part: Part { first, outer, inner }, from, to, f } = self;
        let mut at = vec![0; outer.len()];
        match inner {
            Inner::Row(length) => {
                for [s, t] in Steps::new(outer, &mut at, *first) {
                    let row = &from[s..s + length];
                    let sum = if size_of::<T>() <= 4 && *length >= 2 * WIDE {
                        reduce_row::<_, WIDE>(row, &f)
                    } else {
                        reduce_row::<_, LANES>(row, &f)
                    };
                    to[t] = f(to[t], sum);
                }
            }
            Inner::Sums(sums) => sums.run(from, to, *first, &mut vec![0; sums.outer.len()], &f),
            Inner::Rows { length, gone, sums } => {
                let (mut row, length) = (vec![T::zeroed(); *length], *length);
                let (nearest, gone) = gone.split_first().expect("a loop that is gone");
                let [mut at_gone, mut at_sums] =
                    [gone, &sums.outer].map(|axes| vec![0; axes.len()]);
                for [s, t] in Steps::new(outer, &mut at, *first) {
                    row.copy_from_slice(&from[s..s + length]);
                    // The first row is there.
                    let mut begin = 1;
                    for [s, _] in Steps::new(gone, &mut at_gone, [s, 0]) {
                        let of = |k: usize| &from[s + k * nearest.from as usize..][..length];
                        add_rows(&mut row, begin..nearest.extent, of, &f);
                        begin = 0;
                    }
                    sums.run(&row, to, [0, t], &mut at_sums, &f);
                }
            }
        }
    }
}

/// Adds rows to the first.
#[inline(always)]
fn add_rows<'a, T: Pod>(
    sums: &mut [T],
    mut rows: Range<usize>,
    row: impl Fn(usize) -> &'a [T],
    f: &impl Fn(T, T) -> T,
) {
    while rows.len() >= ROWS {
        let all: [_; ROWS] = std::array::from_fn(|k| row(rows.start + k));
        for (n, sum) in sums.iter_mut().enumerate() {
            *sum = all.iter().fold(*sum, |sum, row| f(sum, row[n]));
        }
        rows.start += ROWS;
    }
    for k in rows {
        sums.iter_mut().zip(row(k)).for_each(|(sum, &x)| *sum = f(*sum, x));
    }
}

/// A row of at least `N` elements, reduced.
#[inline(always)]
fn reduce_row<T: Pod, const N: usize>(row: &[T], f: &impl Fn(T, T) -> T) -> T {
    let (chunks, rest) = row.as_chunks::<N>();
    let sum = reduce_chunks(chunks, f);
    let (chunks, rest) = rest.as_chunks::<APART>();
    let sum = if chunks.is_empty() { sum } else { f(sum, reduce_chunks(chunks, f)) };
    rest.iter().fold(sum, |sum, &x| f(sum, x))
}

/// At least one chunk of `N` elements, a power of two, reduced.
#[inline(always)]
fn reduce_chunks<T: Pod, const N: usize>(chunks: &[[T; N]], f: &impl Fn(T, T) -> T) -> T {
    let mut sums = chunks[0];
    for chunk in &chunks[1..] {
        sums = std::array::from_fn(|k| f(sums[k], chunk[k]));
    }
    let mut length = N;
    while length > 1 {
        length /= 2;
        for k in 0..length {
            sums[k] = f(sums[k], sums[k + length]);
        }
    }
    sums[0]
}

/// The offsets of all steps of some loops, of which the first is the innermost. An iterator: a
/// closure is not always compiled for the instruction set of its caller.
struct Steps<'a> {
    axes: &'a [Axis],
    at: &'a mut [usize],
    next: Option<[usize; 2]>,
}

impl<'a> Steps<'a> {
    /// From these offsets on. `at` has a zero for each loop, and again when all steps are done.
    #[inline(always)]
    fn new(axes: &'a [Axis], at: &'a mut [usize], first: [usize; 2]) -> Self {
        Steps { axes, at, next: Some(first) }
    }
}

impl Iterator for Steps<'_> {
    type Item = [usize; 2];

    #[inline(always)]
    fn next(&mut self) -> Option<[usize; 2]> {
        let here @ [mut s, mut t] = self.next.take()?;
        for (axis, at) in self.axes.iter().zip(&mut *self.at) {
            *at += 1;
            let is_done = *at == axis.extent;
            let steps = 1 - if is_done { axis.extent as isize } else { 0 };
            s = s.wrapping_add_signed(steps * axis.from);
            t = t.wrapping_add_signed(steps * axis.to);
            if !is_done {
                self.next = Some([s, t]);
                break;
            }
            *at = 0;
        }
        Some(here)
    }
}
