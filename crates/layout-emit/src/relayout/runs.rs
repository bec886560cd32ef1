//! Tiles of runs, for two sides with narrow vectors; a row has any number of axes.
//!
//! ```text
//! run    the axes of a tile that lie side by side in one memory; the last one may be cut
//! row    a run, for each coordinate of the other axes of the tile
//! place  an offset in shared memory
//! ```
//!
//! Threads read rows of FROM by aligned vectors of 16 bytes, for any first offset of a row: shared
//! memory has whole vectors of a row. Threads gather each element of a word of TO from its place,
//! and write rows of TO by aligned words. Elements at the ends of a row that fill no word are
//! written one by one, after all words; in WGSL as a part of their word, by atomics.
//!
//! In CUDA, words of narrow elements begin with their row, and go through shared memory once more,
//! where they lie in the order of TO: there each word is shifted to a word of memory, and rows of
//! whole aligned vectors are written by vectors of 16 bytes. A warp gathers elements that share a
//! word of FROM together, so that its reads meet few bank conflicts.

use std::cmp::Ordering;

use layout_algebra::prelude::*;

use super::plan::{Axis, LINE, Plan, SIDES, THREADS, WARP, WIDEST, pieces};
use super::values::function;
use crate::error::EmitError;
use crate::index::function::{Function, Word};
use crate::source::{NamedLayout, layout};

/// Bytes of shared memory of a block, with the padding of rows; and of a multiprocessor, in CUDA
/// and in WGSL.
const PADDED_BYTES: i128 = 48 << 10;
const ALL_BYTES: [i128; 2] = [227 << 10, 48 << 10];
/// The weights of work and of idle threads relative to the ends of runs, in CUDA and in WGSL.
const WEIGHTS: [[f64; 2]; 2] = [[1.0, 0.6], [4.3, 3.0]];
/// Threads of a multiprocessor that have enough registers at once; with fewer than the second, it
/// idles.
const THREADS_AT_ONCE: i128 = 1152;
const FEW_THREADS: i128 = 1126;
/// The most vectors that a thread holds at once.
const MOST_VECTORS: i128 = 8;
/// The bytes of the runs to try in CUDA and in WGSL.
const RUNS: [&[i128]; 2] = [
    &[32, 64, 96, 128, 192, 256, 512, 1024],
    &[32, 64, 96, 128, 192, 256, 320, 384, 512, 768, 1024],
];
/// The bytes of a tile, without padding, in CUDA; and the most in WGSL.
const TILES: [i128; 3] = [4 << 10, 8 << 10, 16 << 10];
const WORD_TILE: i128 = 8 << 10;
/// The plans whose passes are counted.
const BEST: usize = 10;
/// The most words that a thread of CUDA holds at once.
const MOST_WORDS: i128 = 24;
/// Multiprocessors of the card whose times gave the costs.
const MULTIPROCESSORS: i128 = 132;

/// The parts of a cut axis are multiples of these bytes, for runs of each side.
const EVENS: [[i128; 2]; 4] = [[1, 1], [1, 4], [16, 4], [16, 32]];
/// How many axes of the rows in shared memory have padding.
const PADS: usize = 3;

/// The rows of one side of a tile.
#[derive(Clone)]
struct Rows {
    /// The axes of a run, and its elements.
    run: Vec<usize>,
    length: i128,
    /// The other axes of the tile.
    axes: Vec<usize>,
    /// Contiguous elements: a run, and the rows that continue the run.
    whole: i128,
    /// Elements of a vector, and a divisor of them: all rows begin at its multiples.
    width: i128,
    aligned: i128,
    /// The elements of a run of TO for one step of its last axis.
    unit: i128,
    /// The most vectors that a row touches.
    vectors: i128,
    /// Threads that lie side by side along the source's fastest axis.
    together: Option<(usize, i128)>,
    /// The rows after which the distance of a row from a vector repeats.
    same: i128,
    /// All rows have multiples of so many elements.
    multiple: i128,
}

/// An axis of items of threads: vectors of a row, or steps of `by` coordinates of an axis.
struct Item {
    extent: i128,
    axis: Option<usize>,
    by: i128,
}

/// How threads take items: the extents before number `at` whole, and `part` of extent `at`.
struct Deal {
    at: usize,
    part: i128,
    active: i128,
    rounds: i128,
}

/// One side of a tile of runs in the kernel.
pub struct Side {
    pub width: i128,
    pub active: i128,
    pub rounds: i128,
    /// The elements of a run in a block.
    pub length: String,
    /// For a vector: the offsets of its row in memory and in the tile, its number in the row, and
    /// the bounded coordinates, as sums of a function of the thread and one of the round.
    pub functions: [Function; 2],
    pub bounds: Vec<String>,
}

/// The parts of a kernel of a tile of runs.
pub struct Runs {
    /// The reads, the gathers, in CUDA the writes of gathered words unless they are direct, and the
    /// writes of elements that fill no word.
    pub sides: Vec<Side>,
    /// Elements of shared memory.
    pub size: usize,
    pub threads: i128,
    /// Elements that a thread writes to shared memory at once.
    pub piece: i128,
    /// The bits of the distance between a word and the first element of a row of TO.
    pub mask: i128,
    /// Whether the runs of TO are whole words.
    pub is_whole: bool,
    /// Whether gathered words go to memory at once, and otherwise whether they are shifted there.
    pub is_direct: bool,
    pub is_shifted: bool,
    /// The elements of a word or vector that is written to memory after the shift.
    pub unit: i128,
    /// Elements of the source from a tile's first vector on that the tile may touch.
    pub reach: i128,
    /// The number of a word in a row, from which places are computed: a function of the thread
    /// alone if rounds advance by whole periods.
    pub number: &'static str,
    /// The first places of rows in shared memory, for writes and for reads. Reads add `shift`
    /// elements, because some words begin before their row.
    pub front: i128,
    pub back: i128,
    pub shift: i128,
    /// The place of element `c` of a run of TO, and the last element.
    pub place: Function,
    pub last: i128,
    /// Blocks that run at once on a multiprocessor.
    pub blocks: i128,
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Rows {
    /// The rows of a tile.
    fn size(&self, plan: &Plan) -> i128 {
        self.axes.iter().map(|&k| plan.axes[k].tile).product()
    }

    /// The words of whole units.
    fn period(&self) -> i128 {
        self.unit / gcd(self.unit, self.width)
    }
}

impl Plan {
    /// The most bytes of the rows of a tile.
    fn row_bytes(&self) -> i128 {
        if self.is_words { self.tile_bytes } else { 2 * self.tile_bytes }
    }

    /// Bytes of shared memory of a multiprocessor.
    fn all_bytes(&self) -> i128 {
        ALL_BYTES[usize::from(self.is_words)]
    }

    fn rows(&self, side: usize) -> Rows {
        let width = [WIDEST, 4][side].max(self.bytes) / self.bytes;
        let (mut run, mut axes) = (Vec::new(), Vec::new());
        let (mut length, mut whole) = (1, 1);
        let all = WIDEST.max(self.bytes) / self.bytes;
        let mut aligned = if self.is_words { width } else { all };
        for &k in &self.order[side] {
            let Axis { extent, step, tile } = self.axes[k];
            if tile < extent {
                aligned = gcd(aligned, tile * step[side]);
            }
            // A run of a line or more ends if it has whole vectors (fewer places differ within the
            // run), or if words of a block's threads would not have whole periods of the run.
            let period = length / gcd(length, width);
            let is_short = length % width != 0 && (side == 0 || period <= THREADS);
            let is_long = length * self.bytes >= LINE && !is_short;
            if tile > 1 && step[side] == length && !is_long {
                run.push(k);
                length *= tile;
            } else if tile > 1 {
                axes.push(k);
                aligned = gcd(aligned, step[side]);
            }
            whole *= if step[side] == whole { tile } else { 1 };
        }
        let vectors = match (self.is_words, side) {
            (false, 1) => pieces(length, width),
            _ => pieces(length + width - aligned, width),
        };
        let last = run.last().filter(|_| side == 1);
        let unit = last.map_or(1, |&k| length / self.axes[k].tile);
        let is_cut = |k: &usize| self.axes[*k].extent % self.axes[*k].tile != 0;
        let multiple = if last.is_some_and(is_cut) { unit } else { length };
        let s = self.order[0][0];
        let is_apart = !self.is_words && side == 1 && self.bytes < 4 && axes.contains(&s);
        let together =
            Some((s, 4 / self.bytes)).filter(|own| is_apart && self.axes[s].tile >= own.1);
        let same = match (self.is_words, side) {
            (true, _) if width * self.bytes > 4 => 1,
            (false, 1) => 1,
            _ => width / aligned,
        };
        Rows { run, length, axes, whole, width, aligned, unit, vectors, together, same, multiple }
    }

    /// The step of each axis in shared memory, and the elements of all rows, with padding in
    /// multiples of `piece` elements. Steps equal those of FROM modulo a piece.
    fn places(&self, source: &Rows, piece: i128, pads: [i128; PADS]) -> (Vec<i128>, i128) {
        let Rows { width, aligned, .. } = *source;
        let mut steps: Vec<i128> = self.axes.iter().map(|axis| axis.step[0]).collect();
        let mut span = pieces(source.length, aligned) * aligned + 2 * (width - aligned);
        for (n, &k) in source.axes.iter().enumerate() {
            let pad = pads.get(n).map_or(0, |pad| pad * piece);
            steps[k] = span + (steps[k] - span).rem_euclid(piece) + pad;
            span += (self.axes[k].tile - 1) * steps[k];
        }
        (steps, pieces(span, width) * width + width)
    }

    /// The items that threads take: the extents of vectors and of the other axes.
    fn items(&self, rows: &Rows) -> Vec<Item> {
        let vectors = Item { extent: rows.vectors, axis: None, by: 1 };
        let first = rows.together.map(|(k, extent)| Item { extent, axis: Some(k), by: 1 });
        let axes = rows.axes.iter().map(|&k| {
            let by = rows.together.filter(|own| own.0 == k).map_or(1, |own| own.1);
            Item { extent: pieces(self.axes[k].tile, by), axis: Some(k), by }
        });
        first.into_iter().chain([vectors]).chain(axes).collect()
    }

    /// The deal with the fewest rounds. If rows begin within a word, all rounds of a thread begin
    /// at the same distance from a word, if one axis decides the distance.
    fn deal(&self, rows: &Rows, threads: i128) -> Deal {
        let (items, mut low) = (self.items(rows), 1);
        let mut best = (i128::MAX, Deal { at: 0, part: 1, active: 1, rounds: i128::MAX });
        for (at, item) in items.iter().enumerate() {
            let by = if item.axis.is_some() { rows.same } else { rows.period() };
            let is_same = |part: i128| {
                part % by == 0 || part == item.extent || item.axis.is_none() && by > threads
            };
            let most = item.extent.min(threads / low);
            let rest = items[at + 1..].iter().map(|item| item.extent).product::<i128>();
            for part in 1..=most {
                if self.is_words && !is_same(part) {
                    continue;
                }
                let rounds = pieces(item.extent, part) * rest;
                let weight = rounds * if is_same(part) { 3 } else { 5 };
                if weight < best.0 {
                    best = (weight, Deal { at, part, active: low * part, rounds });
                }
            }
            low *= item.extent;
        }
        best.1
    }

    /// Cuts the axes into pieces of equal size so that runs have about this many bytes.
    fn cut(&mut self, needs: [i128; 2], evens: [i128; 2]) {
        self.axes.iter_mut().for_each(|axis| axis.tile = 1);
        for side in SIDES {
            let (mut length, need) = (1, needs[side] / self.bytes);
            for &k in &self.order[side] {
                let Axis { extent, step, tile } = self.axes[k];
                if step[side] != length || 3 * length >= 2 * need {
                    break;
                }
                let own = (need + length / 2) / length;
                let count = pieces(2 * extent - own, 2 * own).max(1);
                let even = (evens[side] / self.bytes).max(1);
                let even = even / gcd(length, even);
                let part = pieces(pieces(extent, count), even) * even;
                self.axes[k].tile = part.min(extent).max(tile);
                length *= self.axes[k].tile;
            }
        }
        for k in self.order.concat() {
            let size = self.size() * self.bytes;
            // A block needs enough work.
            let Axis { extent, tile, .. } = self.axes[k];
            let more = pieces(3 * self.tile_bytes / 4, size / tile);
            let part = pieces(extent, (extent / more).max(1)).max(tile);
            if size < self.tile_bytes / 2 && size / tile * part <= 3 * self.row_bytes() / 4 {
                self.axes[k].tile = part;
            }
        }
    }

    /// The approximate cost of a tile, and the threads of its blocks. In CUDA the cost is a time in
    /// microseconds without that of shared memory: of the bytes that move, with the ends of runs,
    /// of the instructions, and of a block's own time beside the blocks that run at once. The
    /// numbers are a fit to 2,931 times of 468 relayouts on an H200, with a median error of 9 %. In
    /// WGSL the cost is relative to the bytes, from 439 kernels of CUDA.
    fn cost(&self) -> (f64, i128) {
        let ratio = |a: i128, b: i128| a as f64 / b as f64;
        let rows = SIDES.map(|side| self.rows(side));
        let [memory, bytes] = [self.places(&rows[0], rows[0].width, [0; PADS]).1, self.size()]
            .map(|elements| elements * self.bytes);
        let tiles = self.tiled_elements();
        let ends = rows.iter().zip([20, 60]).map(|(own, by)| ratio(by, own.whole * self.bytes));
        // In WGSL, atomics write words of two rows.
        let far = rows[1].aligned < rows[1].width;
        let ends = ends.sum::<f64>() * if self.is_words && far { 3.0 } else { 1.0 };
        let [by_work, by_idle] = WEIGHTS[usize::from(self.is_words)];
        let second = self.gathered_places(&rows[1]);
        let is_direct = self.is_words || self.bytes >= 4;
        let memory = if is_direct { memory } else { memory.max(second.1 * self.bytes) };
        let write = self.write_rows(&rows[1]);
        let blocks_of =
            |threads: i128| (self.all_bytes() / (memory + 1024)).min(THREADS_AT_ONCE / threads);
        let cost = |threads: i128| {
            let [reads, writes] = [0, 1].map(|side| self.deal(&rows[side], threads).rounds);
            if memory > self.row_bytes() || reads > MOST_VECTORS {
                return f64::MAX;
            }
            // If a row has more words than threads, each round computes the places of its elements.
            let is_far = rows[1].vectors > threads && rows[1].period() > threads;
            let places = if is_far { rows[1].run.len() as i128 } else { 0 };
            if self.is_words {
                let far = if far { 6 } else { 0 };
                let word =
                    rows[1].width * (6 + far + 4 * places) + [2, 8][usize::from(rows[1].width > 1)];
                let work = ratio(threads * (40 * reads + word * writes + 40), 24 * bytes);
                let idle = ratio(FEW_THREADS - blocks_of(threads) * threads, 2048).max(0.0);
                return ends + by_work * work * ratio(tiles, self.elements()) + by_idle * idle;
            }
            if !is_direct && writes > MOST_WORDS {
                return f64::MAX;
            }
            let is_shifted = write.aligned < write.width;
            let mut instructions =
                ratio(285 * reads + writes * (92 + rows[1].width * (24 + 40 * places)), 10);
            if !is_direct {
                let each = if is_shifted { 15.0 } else { 9.0 };
                instructions += each * self.deal(&write, threads).rounds as f64;
                instructions += if is_shifted {
                    68.0 * ratio(6 * rows[1].size(self), threads).ceil()
                } else {
                    0.0
                };
            }
            let turns = ratio(self.tiled_elements() / self.size(), MULTIPROCESSORS).ceil();
            let by_ends =
                1.0 + ratio(8, rows[0].whole * self.bytes) + ratio(29, rows[1].whole * self.bytes);
            let moved = ratio(self.elements() * self.bytes, 2_330_000) * by_ends;
            let work = turns * threads as f64 * instructions / 304_000.0;
            let wait = turns * (0.31 + 0.0022 * instructions)
                / turns.min(blocks_of(threads).max(1) as f64);
            (moved * moved + work * work + wait * wait).sqrt()
        };
        // WebGPU promises 256 threads.
        let most = if self.is_words { THREADS / WARP } else { 16 };
        let step = if self.is_words { 1 } else { 2 };
        let all = (4..=most).step_by(step).map(|warps| (cost(warps * WARP), warps * WARP));
        all.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::MAX, WARP))
    }

    /// The plan with the cheapest tile of runs.
    pub fn with_runs(&self) -> Option<Plan> {
        let mut tried: Vec<Plan> = Vec::new();
        let words = vec![self.tile_bytes.min(WORD_TILE)];
        let sizes = if self.is_words { words } else { TILES.to_vec() };
        for tile_bytes in sizes {
            let runs = RUNS[usize::from(self.is_words)];
            let needs = runs.iter().flat_map(|&a| runs.iter().map(move |&b| [a, b]));
            for (needs, evens) in needs.flat_map(|needs| EVENS.map(|evens| (needs, evens))) {
                let mut plan = Plan {
                    shared: true,
                    by_runs: true,
                    slanted: false,
                    tile_bytes,
                    ..self.clone()
                };
                plan.cut(needs, evens);
                plan.tile_bytes = if self.is_words { tile_bytes } else { self.tile_bytes };
                if tried.iter().all(|other| other.axes != plan.axes) {
                    tried.push(plan);
                }
            }
        }
        let mut tried: Vec<_> = tried.into_iter().map(|plan| (plan.cost(), plan)).collect();
        tried.retain(|own| own.0.0 < f64::MAX);
        tried.sort_by(|a, b| a.0.0.total_cmp(&b.0.0));
        if self.is_words {
            return tried.into_iter().next().map(|own| own.1);
        }
        // Of the best ones, the one with the fewest passes beside the rest of the cost.
        let all = tried.into_iter().take(BEST).map(|((cost, threads), plan)| {
            let rows = SIDES.map(|side| plan.rows(side));
            let deals = rows.each_ref().map(|rows| plan.deal(rows, threads));
            let passes = plan.find_places(&rows, &deals).3 + plan.size() * plan.bytes * 3 / 128;
            let tiles = plan.tiled_elements() / plan.size();
            let shared = pieces(tiles, MULTIPROCESSORS) as f64 * passes as f64 / 2264.0;
            (cost * cost + shared * shared, plan)
        });
        all.min_by(|a, b| a.0.total_cmp(&b.0)).map(|own| own.1)
    }

    /// The functions of the thread and of the round that choose items, from the steps of the axes,
    /// of one vector, and of the vectors of a round.
    fn split(
        &self,
        rows: &Rows,
        deal: &Deal,
        of: &([i128; 2], Vec<i128>),
    ) -> [Vec<(i128, i128)>; 2] {
        let mut modes = [vec![(1, 0)], vec![(1, 0)]];
        for (n, Item { extent, axis, by }) in self.items(rows).into_iter().enumerate() {
            let own = match n.cmp(&deal.at) {
                Ordering::Less => extent,
                Ordering::Equal => deal.part,
                Ordering::Greater => 1,
            };
            let steps = axis.map_or(of.0, |k| [by * of.1[k], by * own * of.1[k]]);
            modes[0].push((own, steps[0]));
            modes[1].push((pieces(extent, own), steps[1]));
        }
        modes
    }

    /// The places of the elements of a run of TO.
    fn run_places(&self, target: &Rows, steps: &[i128]) -> Result<DynLayout, EmitError> {
        let axes = target.run.iter().map(|&k| (self.axes[k].tile, steps[k]));
        layout(&axes.chain([(1, 0)]).collect::<Vec<_>>())
    }

    /// The steps of the axes in shared memory with the fewest passes, the elements of all rows, the
    /// elements that a thread writes at once, and the passes.
    fn find_places(
        &self,
        [source, target]: &[Rows; 2],
        deals: &[Deal; 2],
    ) -> (Vec<i128>, i128, i128, i128) {
        // The coordinates of the first element of each thread, and the accesses of a warp to one
        // bank.
        let items = self.items(target);
        let coordinates = |t: i128| {
            let (mut all, mut rest) = (vec![0; self.axes.len()], t);
            for Item { extent, axis, by } in &items {
                let own = rest % extent;
                rest /= extent;
                if let Some(k) = axis {
                    all[*k] += own * by;
                    continue;
                }
                let mut word = (own * target.width).min(target.length - 1);
                for &k in &target.run {
                    all[k] = word % self.axes[k].tile;
                    word /= self.axes[k].tile;
                }
            }
            all
        };
        let first: Vec<Vec<i128>> = (0..deals[1].active).map(coordinates).collect();
        let passes = |warp: &[Vec<i128>], steps: &[i128]| {
            let place =
                |at: &Vec<i128>| at.iter().zip(steps).map(|(x, step)| x * step).sum::<i128>();
            let mut words: Vec<i128> = warp.iter().map(|at| place(at) * self.bytes / 4).collect();
            words.sort_unstable();
            words.dedup();
            let mut banks = [0; 32];
            words.iter().for_each(|word| banks[(word % 32) as usize] += 1);
            banks.into_iter().max().unwrap_or(0)
        };
        let (steps, size) = self.places(source, source.width, [0; PADS]);
        let most = (size * 5 / 4).min(PADDED_BYTES / self.bytes);
        let mut best = (steps, size, source.width, i128::MAX);
        // If memory consists of words, threads rotate the words of a vector, so that banks differ.
        for bytes in [WIDEST, 4].into_iter().skip(usize::from(self.is_words)) {
            let piece = bytes.max(self.bytes) / self.bytes;
            let turns = if self.is_words { 1 } else { source.width / piece };
            let writes = deals[0].rounds * deals[0].active / 8 * turns;
            let (mut pads, mut fewest) = ([0; PADS], i128::MAX);
            let all =
                (0..PADS).flat_map(|n| (0..LINE / self.bytes / piece).map(move |pad| (n, pad)));
            for (n, pad) in all {
                let tried = std::array::from_fn(|k| if k == n { pad } else { pads[k] });
                let (steps, size) = self.places(source, piece, tried);
                let reads: i128 =
                    first.chunks(WARP as usize).map(|warp| passes(warp, &steps)).sum();
                let passes = reads * deals[1].rounds * target.width + writes;
                if size <= most && passes < fewest {
                    (fewest, pads) = (passes, tried);
                }
                if size <= most && passes < best.3 {
                    best = (steps, size, piece, passes);
                }
            }
        }
        best
    }

    /// Where rows of TO lie in shared memory once they are gathered: the steps of the axes, and the
    /// elements of all rows.
    fn gathered_places(&self, target: &Rows) -> (Vec<i128>, i128) {
        let each = 4.max(self.bytes) / self.bytes;
        let words = pieces(target.length, each);
        let mut span = (pieces(words + 8, 16) * 16 - 8) * each;
        let mut steps = vec![0; self.axes.len()];
        for &k in &target.axes {
            steps[k] = span;
            span *= self.axes[k].tile;
        }
        (steps, span)
    }

    /// The rows of TO as whole vectors or words of memory.
    fn write_rows(&self, target: &Rows) -> Rows {
        let all = WIDEST.max(self.bytes) / self.bytes;
        let is_wide = target.aligned == all && target.multiple % all == 0;
        let width = if is_wide { all } else { target.width };
        let aligned = target.aligned.min(width);
        let vectors = pieces(target.length + width - aligned, width);
        Rows { width, aligned, vectors, together: None, same: width / aligned, ..target.clone() }
    }

    /// Deals the rows of both sides to threads and finds the padding with the fewest passes, which
    /// a text describes. Some axes end within a tile.
    pub fn deal_rows(&self, ragged: &[usize]) -> Result<(Runs, String), EmitError> {
        let rows = SIDES.map(|side| self.rows(side));
        let threads = self.cost().1;
        let deals = rows.each_ref().map(|rows| self.deal(rows, threads));
        let (steps, size, piece, passes) = self.find_places(&rows, &deals);
        // The elements before the first whole word of a row, and after the last whole word.
        let vectors = 2 * (rows[1].width - 1).max(1);
        let ends = Rows { vectors, together: None, same: 1, ..rows[1].clone() };
        let write = self.write_rows(&rows[1]);
        let deal_of_write = self.deal(&write, threads);
        let (second_steps, second_size) = self.gathered_places(&rows[1]);
        let is_direct = self.is_words || self.bytes >= 4;
        let deal_of_ends = self.deal(&ends, threads);
        // If rounds advance within a row by whole periods, a word that begins before the row takes
        // places some periods further on, less these periods, and words of the last round may lie
        // after the row.
        let [source, target] = &rows;
        let mask = if self.is_words { target.width - target.aligned } else { 0 };
        let is_within = self.items(target)[deals[1].at].axis.is_none();
        let unit = target.unit;
        let last_step = target.run.last().map_or(0, |&k| steps[k]);
        let part = deals[1].part;
        let all = pieces(target.vectors, part) * part * target.width;
        let before = if mask > 0 { pieces(target.width - 1, unit) } else { 0 };
        let front = pieces(before * last_step, source.width) * source.width;
        let behind = (all - target.length).max(0) / unit * last_step;
        let is_ahead = is_within && part % target.period() == 0 && 8 * (front + behind) <= size;
        let [before, front, behind] =
            [before, front, behind].map(|own| if is_ahead { own } else { 0 });
        let (back, shift) = (front - before * last_step, before * unit);
        let left = |k: usize| ragged.iter().position(|&other| other == k);
        let bound = |k: usize| {
            let tile = self.axes[k].tile;
            left(k).map_or(format!("{tile}u"), |n| format!("min(left{n}, {tile}u)"))
        };
        // Kinds: reads, gathers or writes, vectors of the second rows, ends.
        let side = |kind: usize, own: &Rows, deal: &Deal| -> Result<Side, EmitError> {
            let side = kind.min(1);
            let Deal { at, part, active, rounds } = deal;
            let only = |item: Option<usize>| {
                let axes = (0..self.axes.len()).map(|k| i128::from(item == Some(k))).collect();
                (if item.is_none() { [1, *part] } else { [0; 2] }, axes)
            };
            let memory = self.axes.iter().map(|axis| axis.step[side]).collect();
            // With each round, the places of a word's elements advance by whole periods.
            let ahead = if is_ahead && (kind == 1 || self.is_words && side == 1) {
                part * own.width / own.unit * last_step
            } else {
                0
            };
            let places = if kind >= 2 && !self.is_words { &second_steps } else { &steps };
            let mut of = vec![([0; 2], memory), ([0, ahead], places.clone()), only(None)];
            let is_inner = kind == 1 && !is_direct;
            if is_inner {
                of.push(([0; 2], second_steps.clone()));
            }
            let items = self.items(own);
            let mut bounds = Vec::new();
            for &k in &own.axes {
                // Threads may take items after the last item.
                let covered = |(n, item): (usize, &Item)| match item.axis == Some(k) {
                    true if n == *at => (pieces(item.extent, *part) * part - 1) * item.by,
                    true => (item.extent - 1) * item.by,
                    false => 0,
                };
                let covered = items.iter().enumerate().map(covered).sum::<i128>();
                if left(k).is_some() && !is_inner || covered >= self.axes[k].tile {
                    of.push(only(Some(k)));
                    bounds.push(bound(k));
                }
            }
            // Offsets within the tile, also for threads after the last.
            let reach = self.axes.iter().map(|axis| 2 * axis.tile * axis.step[side]).sum::<i128>();
            let word = if reach > Word::NARROW.limit() { Word::WIDE } else { Word::NARROW };
            let part = |which: usize, name: &str, most: i128| {
                let value = |of| {
                    let modes = layout(&self.split(own, deal, of)[which])?;
                    Ok((0, false, NamedLayout::from(&modes).flat()))
                };
                let values = of.iter().map(value).collect::<Result<Vec<_>, EmitError>>()?;
                function(word, &[(name, most - 1)], &values)
            };
            let functions = [part(0, "t", *active)?, part(1, "k", *rounds)?];
            let length = match own.run.last() {
                Some(&k) => format!("{} * {}u", bound(k), own.length / self.axes[k].tile),
                None => "1u".into(),
            };
            let (width, active, rounds) = (own.width, *active, *rounds);
            Ok(Side { width, active, rounds, length, functions, bounds })
        };
        let mut sides = vec![side(0, source, &deals[0])?, side(1, target, &deals[1])?];
        if !is_direct {
            sides.push(side(2, &write, &deal_of_write)?);
        }
        if target.width > 1 {
            sides.push(side(3, &ends, &deal_of_ends)?);
        }
        let last = target.length - 1 + shift;
        let mut longer = self.clone();
        target.run.last().into_iter().for_each(|&k| longer.axes[k].tile += before);
        let of_run = [(0, false, NamedLayout::from(&longer.run_places(target, &steps)?).flat())];
        let place = function(Word::NARROW, &[("c", last)], &of_run)?;
        // Threads read rows after the last row, and words after the last word of a row.
        let items = self.items(target);
        let beyond = |(n, item): (usize, &Item)| {
            let Some(k) = item.axis else { return 0 };
            let over =
                if n == deals[1].at { pieces(item.extent, part) * part } else { item.extent };
            (over * item.by - item.extent * item.by + item.by - 1) * steps[k]
        };
        let beyond = items.iter().enumerate().map(beyond).sum::<i128>();
        let reach = self.axes.iter().map(|axis| (axis.tile - 1) * axis.step[0]).sum::<i128>()
            + 2 * source.width;
        let size = size + front + behind + beyond;
        let all = WIDEST.max(self.bytes) / self.bytes;
        let items = self.items(&write);
        let over = |(n, item): (usize, &Item)| {
            let Some(k) = item.axis.filter(|_| n == deal_of_write.at) else { return 0 };
            let Deal { part, .. } = deal_of_write;
            (pieces(item.extent, part) * part - item.extent) * second_steps[k]
        };
        let over = items.iter().enumerate().map(over).sum::<i128>();
        let overshoot = if deal_of_write.at == 0 { deal_of_write.part * write.width } else { 0 };
        let second_size = second_size + over + overshoot + all;
        let size = if is_direct { size } else { size.max(second_size) };
        let blocks =
            (THREADS_AT_ONCE / threads).min(self.all_bytes() / (size * self.bytes + 1024)).max(1);
        let is_whole = target.aligned >= target.width && target.multiple % target.width == 0;
        let said = format!(
            "through a tile in shared memory, by runs of {} elements of the source and {} of the \
             target: vectors of 16 bytes are read though rows begin anywhere, and words are \
             written; {passes} passes.",
            source.length, target.length,
        );
        let size = size as usize;
        let number = if is_ahead || !is_within { "a2" } else { "(a2 + b2)" };
        Ok((
            Runs {
                sides,
                size,
                threads,
                piece,
                mask,
                is_whole,
                is_direct,
                is_shifted: target.aligned < target.width,
                unit: write.width,
                reach,
                number,
                shift,
                front,
                back,
                place,
                last,
                blocks,
            },
            said,
        ))
    }
}
