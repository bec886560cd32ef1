//! Tiles of runs, in CUDA: both sides have narrow vectors, and rows of any number of axes.
//!
//! ```text
//! run    the axes of a tile that lie side by side in one memory; the last one may be cut
//! row    a run, for each coordinate of the other axes of the tile
//! place  an offset in shared memory
//! ```
//!
//! Threads read rows of FROM by aligned vectors of 16 bytes, wherever rows begin: a row lies in
//! shared memory as its vectors do. They write rows of TO by aligned words, and gather each element
//! of a word from its place.

use std::cmp::Ordering;

use layout_algebra::analysis::WarpAccess;
use layout_algebra::prelude::*;

use super::plan::{Axis, LINE, Plan, SIDES, WARP, WIDEST};
use super::values::function;
use crate::error::EmitError;
use crate::index::function::{Function, Word};
use crate::source::{NamedLayout, layout};

/// Bytes of shared memory of a block: of rows, and with their padding. Those of a multiprocessor.
const ROW_BYTES: i128 = 32 << 10;
const PADDED_BYTES: i128 = 48 << 10;
const ALL_BYTES: i128 = 227 << 10;
/// Bytes of a tile below which a block has not enough to do.
const FEW_BYTES: i128 = 8 << 10;
/// Threads of a multiprocessor, and those that have enough registers at once.
const ALL_THREADS: i128 = 2048;
const THREADS_AT_ONCE: i128 = 1024;
/// The most vectors that a thread holds at once.
const MOST_VECTORS: i128 = 8;
/// Bytes of the runs that are tried.
const RUNS: [i128; 11] = [32, 64, 96, 128, 192, 256, 320, 384, 512, 768, 1024];
/// How many paddings of the rows of the first two axes are tried.
const PADS: [i128; 2] = [12, 6];

/// The rows of one side of a tile.
struct Rows {
    /// The axes of a run, and its elements.
    run: Vec<usize>,
    length: i128,
    /// The other axes of the tile.
    axes: Vec<usize>,
    /// Elements that lie side by side: a run, and the rows that continue it.
    whole: i128,
    /// Elements of a vector, and a divisor of them: all rows begin at a multiple of it.
    width: i128,
    aligned: i128,
    /// The most vectors that a row touches.
    vectors: i128,
}

/// How threads take items: the extents before number `at` whole, and `part` of this one.
struct Deal {
    at: usize,
    part: i128,
    active: i128,
    rounds: i128,
}

/// One side of a tile of runs, as the kernel has it.
pub struct Side {
    pub width: i128,
    pub active: i128,
    pub rounds: i128,
    /// The elements of a run in a block.
    pub length: String,
    /// Of a vector: where its row begins in memory and in the tile, its number in the row, and the
    /// coordinates that have a bound. The sums of two functions: of the thread and of the round.
    pub functions: [Function; 2],
    pub bounds: Vec<String>,
}

/// What a kernel of a tile of runs has.
pub struct Runs {
    pub sides: [Side; 2],
    /// Elements of shared memory.
    pub size: usize,
    pub threads: i128,
    /// Elements that a thread writes to shared memory at once.
    pub piece: i128,
    /// The bits of the distance from a word at which rows of TO begin.
    pub mask: i128,
    /// Whether the runs of TO are whole words.
    pub is_whole: bool,
    /// The place of element `c` of a run of TO, and the last element.
    pub place: Function,
    pub last: i128,
    /// Blocks of a multiprocessor.
    pub blocks: i128,
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn pieces(extent: i128, piece: i128) -> i128 {
    (extent + piece - 1) / piece
}

impl Plan {
    fn rows(&self, side: usize) -> Rows {
        let width = [WIDEST, 4][side].max(self.bytes) / self.bytes;
        let (mut run, mut axes) = (Vec::new(), Vec::new());
        let (mut length, mut whole, mut aligned) = (1, 1, width);
        for &k in &self.order[side] {
            let Axis { extent, step, tile } = self.axes[k];
            if tile < extent {
                aligned = gcd(aligned, tile * step[side]);
            }
            // A run of whole vectors ends behind a line: fewer places differ within it.
            let is_long = length * self.bytes >= LINE && length % width == 0;
            if tile > 1 && step[side] == length && !is_long {
                run.push(k);
                length *= tile;
            } else if tile > 1 {
                axes.push(k);
                aligned = gcd(aligned, step[side]);
            }
            whole *= if step[side] == whole { tile } else { 1 };
        }
        let vectors = pieces(length + width - aligned, width);
        Rows { run, length, axes, whole, width, aligned, vectors }
    }

    /// The step of each axis in shared memory, and the elements of all rows, with paddings of
    /// `piece` elements. Steps equal those of FROM modulo a piece.
    fn places(&self, source: &Rows, piece: i128, pads: [i128; 2]) -> (Vec<i128>, i128) {
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

    /// What threads take of rows: the extents of vectors and of the other axes.
    fn items(&self, rows: &Rows) -> Vec<(i128, Option<usize>)> {
        let axes = rows.axes.iter().map(|&k| (self.axes[k].tile, Some(k)));
        [(rows.vectors, None)].into_iter().chain(axes).collect()
    }

    /// The deal with the fewest rounds. Where rows begin within a word, all rounds of a thread
    /// begin at the same distance, if one axis decides it.
    fn deal(&self, rows: &Rows, threads: i128) -> Deal {
        let same = if rows.width * self.bytes > 4 { 1 } else { rows.width / rows.aligned };
        let (items, mut low) = (self.items(rows), 1);
        let mut best = Deal { at: 0, part: 1, active: 1, rounds: i128::MAX };
        for (at, &(extent, _)) in items.iter().enumerate() {
            let is_same = |part: &i128| part % same == 0 || *part == extent || at == 0;
            for part in (1..=extent.min(threads / low)).filter(is_same) {
                let rest = items[at + 1..].iter().map(|item| item.0).product::<i128>();
                let rounds = pieces(extent, part) * rest;
                if rounds < best.rounds {
                    best = Deal { at, part, active: low * part, rounds };
                }
            }
            low *= extent;
        }
        best
    }

    /// Cuts the axes in pieces of equal size so that runs have about so many bytes.
    fn cut(&mut self, needs: [i128; 2]) {
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
                self.axes[k].tile = pieces(extent, count).max(tile);
                length *= self.axes[k].tile;
            }
        }
        for k in self.order.concat() {
            let size = self.size() * self.bytes;
            if size < FEW_BYTES {
                let Axis { extent, tile, .. } = self.axes[k];
                let more = pieces(3 * FEW_BYTES / 2, size / tile);
                self.axes[k].tile = more.clamp(tile, extent);
            }
        }
    }

    /// About how long a tile takes for each of its bytes, and the threads of its blocks: the ends
    /// of runs, instructions, what a ragged edge leaves idle, and threads for which a
    /// multiprocessor has no memory. The numbers come from 439 kernels timed on an H200.
    fn cost(&self) -> (f64, i128) {
        let ratio = |a: i128, b: i128| a as f64 / b as f64;
        let rows = SIDES.map(|side| self.rows(side));
        let [memory, bytes] = [self.places(&rows[0], rows[0].width, [0; 2]).1, self.size()]
            .map(|elements| elements * self.bytes);
        let tiles =
            self.axes.iter().map(|axis| pieces(axis.extent, axis.tile) * axis.tile).product();
        let ends = rows.iter().zip([20, 60]).map(|(own, by)| ratio(by, own.whole * self.bytes));
        let ends: f64 = ends.sum();
        let cost = |threads: i128| {
            let [reads, writes] = [0, 1].map(|side| self.deal(&rows[side], threads).rounds);
            if memory > ROW_BYTES || reads > MOST_VECTORS {
                return f64::MAX;
            }
            // If a row has more words than threads, each round computes the places of its elements.
            let places = if rows[1].vectors > threads { rows[1].run.len() as i128 } else { 0 };
            let word = rows[1].width * (6 + 4 * places) + if rows[1].width > 1 { 8 } else { 2 };
            let work = ratio(threads * (40 * reads + word * writes + 40), 24 * bytes);
            let blocks = (ALL_BYTES / (memory + 1024)).min(ALL_THREADS / threads);
            let idle = 0.7 - ratio(blocks * threads, ALL_THREADS);
            ends + work * ratio(tiles, self.elements()) + 0.6 * idle.max(0.0)
        };
        let all = (4..=16).map(|warps| (cost(warps * WARP), warps * WARP));
        all.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::MAX, WARP))
    }

    /// The plan with the tile of runs that costs least.
    pub fn with_runs(&self) -> Option<Plan> {
        let tried = RUNS.iter().flat_map(|&a| RUNS.map(|b| [a, b])).map(|needs| {
            let mut plan = Plan { shared: true, by_runs: true, slanted: false, ..self.clone() };
            plan.cut(needs);
            (plan.cost().0, plan)
        });
        let best = tried.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|best| best.0 < f64::MAX);
        best.map(|best| best.1)
    }

    /// What the thread chooses of items, and what the round chooses, for a step of vectors and
    /// steps of axes.
    fn split(&self, rows: &Rows, deal: &Deal, of: &(i128, Vec<i128>)) -> [Vec<(i128, i128)>; 2] {
        let mut modes = [vec![(1, 0)], vec![(1, 0)]];
        for (n, (extent, k)) in self.items(rows).into_iter().enumerate() {
            let own = match n.cmp(&deal.at) {
                Ordering::Less => extent,
                Ordering::Equal => deal.part,
                Ordering::Greater => 1,
            };
            let step = k.map_or(of.0, |k| of.1[k]);
            modes[0].push((own, step));
            modes[1].push((pieces(extent, own), own * step));
        }
        modes
    }

    /// The places of the elements of a run of TO.
    fn run_places(&self, target: &Rows, steps: &[i128]) -> Result<DynLayout, EmitError> {
        let axes = target.run.iter().map(|&k| (self.axes[k].tile, steps[k]));
        layout(&axes.chain([(1, 0)]).collect::<Vec<_>>())
    }

    /// The steps of the axes in shared memory with the fewest passes, the elements of all rows, how
    /// many elements a thread writes there at once, and the passes.
    fn find_places(
        &self,
        [source, target]: &[Rows; 2],
        deals: &[Deal; 2],
    ) -> Result<(Vec<i128>, i128, i128, i128), EmitError> {
        let bits = 8 * self.bytes as usize;
        let (steps, size) = self.places(source, source.width, [0; 2]);
        let most = (size * 5 / 4).min(PADDED_BYTES / self.bytes);
        let mut best = (steps, size, source.width, i128::MAX);
        let pads = (0..PADS[0]).flat_map(|a| (0..PADS[1]).map(move |b| [a, b]));
        for (pads, bytes) in pads.flat_map(|pads| [(pads, WIDEST), (pads, 4)]) {
            let piece = bytes.max(self.bytes) / self.bytes;
            let (steps, size) = self.places(source, piece, pads);
            // The first element of each thread.
            let next = target.width.min(target.length - 1) as usize;
            let next = self.run_places(target, &steps)?.at(next) as i128;
            let [reads, _] = self.split(target, &deals[1], &(next, steps.clone()));
            let reads = DynLayout::tuple(&[layout(&reads)?, layout(&[(1, 0)])?])?;
            let memory = layout(&[(size.max(reads.cosize() as i128), 1)])?;
            let access = WarpAccess::new(&FlatLayout::of(&reads), bits, bits);
            let reads = access.bank_conflicts(&FlatLayout::of(&memory)).passes as i128;
            let writes = deals[0].rounds * deals[0].active / 8 * source.width / piece;
            let passes = reads * deals[1].rounds * target.width + writes;
            if size <= most && passes < best.3 {
                best = (steps, size, piece, passes);
            }
        }
        Ok(best)
    }

    /// Deals the rows of both sides to threads and finds the padding with the fewest passes; in
    /// words, too. Some axes end within a tile.
    pub fn deal_rows(&self, ragged: &[usize]) -> Result<(Runs, String), EmitError> {
        let rows = SIDES.map(|side| self.rows(side));
        let threads = self.cost().1;
        let deals = rows.each_ref().map(|rows| self.deal(rows, threads));
        let (steps, size, piece, passes) = self.find_places(&rows, &deals)?;
        let left = |k: usize| ragged.iter().position(|&other| other == k);
        let bound = |k: usize| {
            let tile = self.axes[k].tile;
            left(k).map_or(format!("{tile}u"), |n| format!("min(left{n}, {tile}u)"))
        };
        let side = |side: usize| -> Result<Side, EmitError> {
            let (own, Deal { at, part, active, rounds }) = (&rows[side], &deals[side]);
            let only = |item: Option<usize>| {
                let axes = (0..self.axes.len()).map(|k| i128::from(item == Some(k))).collect();
                (i128::from(item.is_none()), axes)
            };
            let memory = self.axes.iter().map(|axis| axis.step[side]).collect();
            let mut of = vec![(0, memory), (0, steps.clone()), only(None)];
            let mut bounds = Vec::new();
            for (n, &k) in own.axes.iter().enumerate() {
                // Threads may take items behind the last one.
                if left(k).is_some() || n + 1 == *at && self.axes[k].tile % part != 0 {
                    of.push(only(Some(k)));
                    bounds.push(bound(k));
                }
            }
            // Offsets within the tile, which threads behind the last one have, too.
            let reach = self.axes.iter().map(|axis| 2 * axis.tile * axis.step[side]).sum::<i128>();
            let word = if reach > Word::NARROW.limit() { Word::WIDE } else { Word::NARROW };
            let part = |which: usize, name: &str, most: i128| {
                let value = |of| {
                    let modes = layout(&self.split(own, &deals[side], of)[which])?;
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
        let sides = [side(0)?, side(1)?];
        let [source, target] = &rows;
        let last = target.length - 1;
        let of_run = [(0, false, NamedLayout::from(&self.run_places(target, &steps)?).flat())];
        let place = function(Word::NARROW, &[("c", last)], &of_run)?;
        // Threads read rows behind the last one.
        let beyond = |(n, &k): (usize, &usize)| {
            let (Deal { at, part, .. }, tile) = (&deals[1], self.axes[k].tile);
            (if n + 1 == *at { pieces(tile, *part) * part - tile } else { 0 }) * steps[k]
        };
        let size = size + target.axes.iter().enumerate().map(beyond).sum::<i128>();
        let blocks = (THREADS_AT_ONCE / threads).min(ALL_BYTES / (size * self.bytes + 1024)).max(1);
        let mask = target.width - target.aligned;
        let cut = target.run.last().filter(|k| ragged.contains(k));
        let unit = target.length / cut.map_or(1, |&k| self.axes[k].tile);
        let is_whole = mask == 0 && unit % target.width == 0;
        let said = format!(
            "through a tile in shared memory, by runs of {} elements of the source and {} of the \
             target: vectors of 16 bytes are read though rows begin anywhere, and words are \
             written; {passes} passes.",
            source.length, target.length,
        );
        let size = size as usize;
        let runs = Runs { sides, size, threads, piece, mask, is_whole, place, last, blocks };
        Ok((runs, said))
    }
}
