//! A kernel before its text: the items of each block, thread and round, and their places in shared
//! memory.
//!
//! Each side of a tile is a phase. Its items are vectors, with the fastest axis of its layout
//! first, and threads take them in rounds. If all extents of a tile are powers of two, shared
//! memory has the layout that `best_shared_layout` proves to have the fewest passes; otherwise it
//! has the padding with the fewest counted conflicts.
//!
//! ```text
//! element(item)  the number in the tile of the first element of an item, a layout
//! memory o element, shared o element, coordinate o element        what a phase computes
//! ```

use layout_algebra::DynStride;
use layout_algebra::analysis::WarpAccess;
use layout_algebra::prelude::*;

use super::plan::{
    Axis, LINE, Plan, SIDES, THREADS, WARP, WIDEST, common_axes, divide_items, pieces,
};
use super::runs::Runs;
use super::values::{Value, function};
use super::windows::write_windows;
use crate::error::EmitError;
use crate::index::function::{Function, Word, fit_narrowest};
use crate::source::{Leaf, NamedLayout, Product, Step, layout};

/// The least vectors of a period and the next axis.
const PERIOD_VECTORS: i128 = 16;
/// The most words that a thread reads for windows: if elements are read more than once, and if a
/// tile is an alternative.
const MOST_WORDS: [i128; 2] = [41, 7];
/// The fewest warps of a block that splits items by axes.
const FEWEST_WARPS: i128 = 5;
/// The most bytes of shared memory with padding.
const MOST_BYTES: i128 = 40 << 10;
/// The widest padding to try, in words.
const MOST_PAD: i128 = 32;

/// One side of a tile.
pub struct Phase {
    /// Vectors of the tile, and rounds in which each thread takes one vector.
    pub items: i128,
    pub rounds: i128,
    /// The threads that work in each round, if threads take the axes of the tile whole or in equal
    /// parts.
    pub active: Option<i128>,
    /// Elements of a vector, and elements of a piece, which are neighbours in shared memory.
    pub vector: i128,
    pub piece: i128,
    /// The places of a vector's pieces in shared memory, relative to the first piece.
    pub places: Vec<usize>,
    /// The offset in memory, the place in shared memory, and the coordinates of ragged axes: a
    /// function of `t` and `k`, or of `v` if `active` is `None`.
    pub function: Function,
}

/// A tile in shared memory.
pub struct Tile {
    pub plan: Plan,
    pub blocks: i128,
    pub threads: i128,
    /// The offsets in both memories, and the rest of ragged axes: a function of `block`.
    pub start: Function,
    pub ragged: Vec<usize>,
    /// `None` if the plan is slanted or has runs.
    pub phases: Option<[Phase; 2]>,
    pub runs: Option<Runs>,
    /// Elements of shared memory, and whether places in it add up by XOR.
    pub size: usize,
    pub by_xor: bool,
    /// The bytes that the second cache fetches when a block reads some of them.
    pub fetch: i128,
}

/// A kernel before its text.
pub struct Kernel {
    pub comment: Vec<String>,
    /// The number of elements of the plan, and the bytes of one element.
    pub elements: i128,
    pub bytes: i128,
    pub tile: Option<Tile>,
    /// Both offsets as a function of `i`, for a kernel without a tile.
    pub direct: Function,
    /// Without a tile, if `i` is the offset in the target and a thread writes neighbours at once.
    pub ordered: Option<Period>,
}

/// The fastest axes of a target without gaps, and the next axis, which is long. The offset of an
/// element is the offset of its period plus the offset within the first period, unless the next
/// axis ends between the two.
pub struct Period {
    pub elements: i128,
    pub extent: i128,
    /// The offset in the source of period number `j`.
    pub begin: Function,
    /// The elements of a row of the source, if every shorter axis is within a row; otherwise all
    /// elements.
    pub pitch: i128,
    /// Threads of a block that write: each element of a period has equally many threads.
    pub active: i128,
    /// Vectors of a thread.
    pub vectors: i128,
    /// Elements of the source in a block's shared memory; 0 if they are too many.
    pub span: i128,
    /// The least number of elements of the source.
    pub room: i128,
    /// Elements that are contiguous on both sides.
    pub run: i128,
    /// In WGSL, the number of threads that work together, and their code if the period moves along
    /// the source with the next axis.
    pub windows: Option<(i128, String)>,
}

impl Kernel {
    /// The kernel for elements of `bytes` bytes. Without a plan, the kernel has no tile. If memory
    /// consists of words, the kernel has no tile either if numbers of the plan exceed 32 bits, and
    /// a vector must be whole words.
    pub fn new(
        from: &NamedLayout,
        to: &NamedLayout,
        bytes: i128,
        tile_bytes: i128,
        is_words: bool,
    ) -> Result<Kernel, EmitError> {
        // A swizzle never maps two offsets to one.
        if !to.plain.as_ref().is_some_and(DynLayout::is_injective) {
            return EmitError::refused(format!(
                "two elements go to one place: {to} gives two coordinates one offset"
            ));
        }
        let plan = common_axes(from, to).map(|axes| Plan::new(axes, bytes, tile_bytes, is_words));
        let elements = plan.as_ref().map_or(from.clone().flat().extent(0).factor, Plan::elements);
        // Offsets count from the least offset.
        let below = [from, to].map(|layout| layout.reach().map_or(0, |reach| -reach.0));
        let values = SIDES.map(|side| {
            let layout = match &plan {
                Some(plan) => plan.digits(|_| (true, 0), |axis| (axis.extent, axis.step[side])),
                None => [from, to][side].clone().flat(),
            };
            (below[side], false, layout)
        });
        // Threads after the last coordinate have numbers, too.
        let bits = (elements > 1 << 31).then_some(64);
        let direct =
            fit_narrowest(bits, from, |word| function(word, &[("i", elements - 1)], &values))?;
        let comment = vec![format!("to[{to}] = from[{from}], elements of {}.", write_bytes(bytes))];
        let mut kernel = Kernel { comment, elements, bytes, tile: None, direct, ordered: None };
        let mut route = "one by one, by the index functions of both layouts.".to_string();
        for (memory, layout) in [("from", from), ("to", to)] {
            kernel.comment.extend(
                layout.describe_origin().map(|origin| format!("{origin}: {memory}[0] has it.")),
            );
        }
        if let Some(plan) = plan {
            kernel.bytes = plan.bytes;
            let extents =
                plan.axes.iter().map(|a| format!("{}:{}:{}", a.extent, a.step[0], a.step[1]));
            let extents = extents.collect::<Vec<_>>().join(" ");
            kernel.comment.push(format!(
                "Axes, extent:from:to, in elements of {}: {extents}.",
                write_bytes(plan.bytes)
            ));
            let reach = SIDES.map(|side| plan.reach(side));
            // Coordinates beyond a ragged edge have offsets, too, which the kernel does not use.
            let is_within =
                reach[0].max(reach[1]).max(elements).saturating_mul(2) <= Word::NARROW.limit();
            // If vectors are narrower than words, a thread makes whole words in the order of the
            // target, which must not have gaps.
            let least = plan.vectors[0].min(plan.vectors[1].max(plan.fixed));
            let is_narrow = !plan.slanted && !plan.by_runs && is_words && least * plan.bytes < 4;
            let is_repeated = plan.bytes <= 4 && plan.is_repeated();
            let find_order = |is_narrow: bool| -> Result<Option<Period>, EmitError> {
                let is_wanted = is_words && is_within && (is_narrow || is_repeated);
                if !is_wanted || reach[1] != elements - 1 {
                    return Ok(None);
                }
                let is_there = |period: &Period| period.span > 0 || period.windows.is_some();
                Ok(Some(plan.find_period(reach[0] + 1)?).filter(is_there))
            };
            // If threads would move narrow elements one by one, the kernel has a tile of runs.
            let find_runs = |is_slow: bool| {
                if is_slow && is_words && plan.bytes < 4 && is_within {
                    plan.with_runs()
                } else {
                    None
                }
            };
            kernel.ordered = find_order(is_narrow)?;
            let runs = find_runs(is_narrow && kernel.ordered.is_none());
            let can_tile = plan.shared && (is_within || !is_words) && !is_narrow;
            if kernel.ordered.is_none() && (can_tile || runs.is_some()) {
                let word = if is_within { Word::NARROW } else { Word::WIDE };
                let mut tile = Tile::new(runs.unwrap_or(plan.clone()), is_words, word)?;
                if tile.is_none() {
                    kernel.ordered = find_order(true)?;
                    if let Some(runs) = find_runs(kernel.ordered.is_none()) {
                        tile = Tile::new(runs, is_words, word)?;
                    }
                }
                let fits = |tile: &Tile| {
                    let sides = tile.runs.iter().flat_map(|runs| &runs.sides);
                    let phases = tile.phases.iter().flatten().map(|phase| &phase.function);
                    let mut all = sides.flat_map(|side| &side.functions).chain(phases);
                    let is_word = |of: &Function| !is_words || of.word == Word::NARROW;
                    tile.start.fits() && all.all(|of| of.fits() && is_word(of))
                };
                if let Some((tile, how)) = tile.filter(|(tile, _)| fits(tile)) {
                    (kernel.tile, route) = (Some(tile), how);
                }
            }
            if kernel.ordered.is_some() {
                route = "in the order of the target, which has no gaps.".into();
            } else if !plan.shared && kernel.tile.is_none() {
                route = "directly: the fastest axis is the same in both.".into();
            }
        }
        kernel.comment.push(format!("Elements go {route}"));
        Ok(kernel)
    }
}

impl Plan {
    /// A layout with a leaf for each axis, sorted by the key, then in the order of the target.
    fn digits(
        &self,
        key: impl Fn(usize) -> (bool, i128),
        leaf: impl Fn(&Axis) -> (i128, i128),
    ) -> NamedLayout {
        let mut axes: Vec<usize> = (0..self.axes.len()).collect();
        axes.sort_by_key(|&k| (key(k), self.axes[k].step[1], self.axes[k].step[0]));
        let leaf = |k: usize| {
            let (extent, stride) = leaf(&self.axes[k]);
            Leaf { extent: Product::number(extent), step: Step::Sum(Product::number(stride)) }
        };
        NamedLayout::with_modes(vec![axes.into_iter().map(leaf).collect()])
    }

    /// The period of the target: with the next axis, it is a run of 16 vectors or more.
    fn find_period(&self, room: i128) -> Result<Period, EmitError> {
        let (mut elements, mut extent) = (1, 1);
        for &k in &self.order[1] {
            elements *= extent;
            extent = self.axes[k].extent;
            if elements * extent >= PERIOD_VECTORS * WIDEST {
                break;
            }
        }
        let beyond = |axis: &Axis| {
            if axis.step[1] < elements { (1, 0) } else { (axis.extent, axis.step[0]) }
        };
        let last = self.elements() / elements - 1;
        let begin = function(
            Word::NARROW,
            &[("j", last)],
            &[(0, false, self.digits(|_| (true, 0), beyond))],
        )?;
        let width = WIDEST / self.bytes;
        let apart =
            (1..=THREADS).find(|threads| threads * width % elements == 0).unwrap_or(THREADS);
        let active = THREADS / apart * apart;
        // A step of an axis adds its stride, and subtracts the reach of the axis below. In WGSL, an
        // element of the tile occupies a word.
        let (each, vectors) = (4, 4 * self.bytes);
        let periods = active * width * vectors / elements + width;
        let (mut span, mut below, mut passed) = (2 * width, 0, 1);
        for &k in &self.order[1] {
            let Axis { extent, step, .. } = self.axes[k];
            if step[1] < elements {
                span += (extent - 1) * step[0];
            } else {
                span += if step[0] < below {
                    i128::from(u32::MAX)
                } else {
                    (periods / passed + 1) * (step[0] - below)
                };
                (below, passed) = (extent * step[0], passed * extent);
            }
        }
        // A small source has at most all of its elements, and parts of a vector at both ends.
        let span = if span * each <= 2 * self.tile_bytes {
            pieces(span.min(room + 2 * width), width) * width
        } else {
            0
        };
        let is_row = |pitch: &i128| {
            let (short, long): (Vec<&Axis>, Vec<&Axis>) =
                self.axes.iter().partition(|axis| axis.step[0] < *pitch);
            let reach: i128 = short.iter().map(|axis| (axis.extent - 1) * axis.step[0]).sum();
            pitch % (8 * width) == 0
                && reach < *pitch
                && long.iter().all(|axis| axis.step[0] % pitch == 0)
        };
        let pitch = self.axes.iter().map(|axis| axis.step[0]).filter(is_row).min().unwrap_or(room);
        let next = self.axes.iter().find(|axis| self.bytes <= 2 && axis.step[1] == elements);
        let leaf = |&k: &usize| (self.axes[k].extent, self.axes[k].step[0]);
        let source = layout(&self.order[1].iter().map(leaf).chain([(1, 0)]).collect::<Vec<_>>())?;
        let offsets: Vec<i128> = (0..elements).map(|i| source.at(i as usize) as i128).collect();
        let windows = next.and_then(|next| {
            [4, 2].into_iter().find_map(|n| {
                write_windows(
                    n,
                    &offsets,
                    next,
                    self.bytes,
                    MOST_WORDS[usize::from(span > 0 || !self.is_repeated())],
                )
            })
        });
        let first = self.order[1].first().map(|&k| self.axes[k]);
        let run = first.filter(|axis| axis.step[0] == 1).map_or(1, |axis| axis.extent);
        Ok(Period { elements, extent, begin, pitch, active, vectors, span, room, run, windows })
    }

    /// The groups of a tile's axes: the axes of a run of these sides form one group. The fastest
    /// axis of FROM comes first.
    fn group_axes(&self, sides: &[usize]) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let runs = sides.iter().map(|&side| self.order[side][..self.runs[side]].to_vec());
        for group in runs.chain(self.order[0].iter().map(|&k| vec![k])) {
            if !groups.concat().contains(&group[0]) && self.axes[group[0]].tile > 1 {
                groups.push(group);
            }
        }
        groups.sort_by_key(|group| self.order[0].iter().position(|k| *k == group[0]));
        groups
    }
}

impl Tile {
    /// The tile of a plan, and its description. `None` if memory consists of words and no thread
    /// can make whole words: vectors are narrower, and the distances between elements of a word
    /// differ from thread to thread.
    fn new(plan: Plan, is_words: bool, word: Word) -> Result<Option<(Tile, String)>, EmitError> {
        let tiles = |axis: &Axis| pieces(axis.extent, axis.tile);
        // A slanted plane reads rows beyond its tile, too.
        let is_ragged = |k: &usize| {
            plan.axes[*k].extent % plan.axes[*k].tile != 0 || plan.slanted && *k == plan.order[1][0]
        };
        let ragged: Vec<usize> = (0..plan.axes.len()).filter(is_ragged).collect();
        let blocks = plan.axes.iter().map(tiles).product();
        // Blocks follow the target; but blocks follow the source first if a block does not read
        // whole lines of a row.
        let is_lines =
            |axis: &Axis| tiles(axis) == 1 || axis.tile * axis.step[0] * plan.bytes % LINE == 0;
        let first = plan.order[0].iter().copied().find(|&k| tiles(&plan.axes[k]) > 1);
        let first = first.filter(|_| {
            !is_words && !plan.slanted && !plan.by_runs && !plan.axes.iter().all(is_lines)
        });
        // If memory consists of words, nothing is fetched in advance, and blocks follow the nearer
        // side.
        let near = |k: usize| {
            let is_near = plan.by_runs || is_words && (!plan.slanted || plan.bytes < 2);
            plan.axes[k].step.iter().min().filter(|_| is_near)
        };
        let key = |k: usize| (Some(k) != first, near(k).map_or(0, |step| *step));
        let begin =
            |side: usize| plan.digits(key, |axis| (tiles(axis), axis.tile * axis.step[side]));
        let mut values = SIDES.map(|side| (0, false, begin(side))).to_vec();
        for &k in &ragged {
            let only = |axis: &Axis| (tiles(axis), axis.tile * i128::from(*axis == plan.axes[k]));
            values.push((plan.axes[k].extent, true, plan.digits(key, only)));
        }
        let start = function(word, &[("block", blocks - 1)], &values)?;
        // The threads of a plane. WebGPU promises 256.
        let threads = if is_words { THREADS } else { THREADS + WARP };
        // Fetches two lines if other blocks read the rest of the lines soon, or if a row is shorter
        // than a line.
        let is_short = plan.slanted && plan.axes[plan.order[0][0]].tile * plan.bytes < LINE;
        let fetch = [LINE, 2 * LINE][usize::from(is_short || first.is_some())];
        let mut tile = Tile {
            plan,
            blocks,
            threads,
            start,
            ragged,
            phases: None,
            runs: None,
            size: 0,
            by_xor: false,
            fetch,
        };
        if tile.plan.by_runs {
            let (runs, said) = tile.plan.deal_rows(&tile.ragged)?;
            (tile.size, tile.threads, tile.runs) = (runs.size, runs.threads, Some(runs));
            return Ok(Some((tile, said)));
        }
        if !tile.plan.slanted {
            // About the usual number of threads, but a number that splits items by axes, if the
            // layout of shared memory allows this split.
            let most = if is_words { THREADS } else { 2 * THREADS };
            let mut counts: Vec<_> = (FEWEST_WARPS..=most / WARP)
                .map(|warps| Some(WARP * warps))
                .chain([None])
                .collect();
            counts.sort_by_key(|count| count.map_or(most, |count| (count - THREADS).abs()));
            let found = |tile: &mut Tile| {
                counts.iter().find_map(|&count| tile.deal_items(is_words, count).ok())
            };
            let plan = tile.plan.clone();
            let simple = Plan { vectors: [plan.vectors[0], 1], turn: 1, ..plan.clone() };
            tile.plan = if plan.fixed > 1 { simple } else { plan.clone() };
            let route = found(&mut tile).or_else(|| {
                let is_whole = !is_words || plan.vectors[1] * plan.bytes >= 4;
                tile.plan = Plan { fixed: 1, ..plan };
                found(&mut tile).filter(|_| is_whole)
            });
            return Ok(route.map(|route| (tile, route)));
        }
        let [s, d] = SIDES.map(|side| tile.plan.axes[tile.plan.order[side][0]].tile);
        let route = format!(
            "through a tile of {d} x {s} in shared memory, by aligned vectors of 16 bytes on both \
             sides though rows begin \
             anywhere: a row of the tile begins as far from a vector as it does in memory."
        );
        Ok(Some((tile, route)))
    }

    /// Deals the items of both sides to threads and finds the layout of shared memory. With
    /// `split`, that number of threads take equal parts of the axes.
    fn deal_items(&mut self, is_words: bool, split: Option<i128>) -> Result<String, EmitError> {
        let plan = &self.plan;
        let size = plan.size();
        let groups = plan.group_axes(&SIDES);
        let canon = groups.concat();
        let extent = |group: &[usize]| group.iter().map(|&k| plan.axes[k].tile).product::<i128>();
        // The distance of a step along an axis in the numbers of elements.
        let unit =
            |k: usize| extent(&canon[..canon.iter().position(|&other| other == k).unwrap_or(0)]);
        let is_bits = canon.iter().all(|&k| plan.axes[k].tile & (plan.axes[k].tile - 1) == 0);
        self.by_xor = is_bits
            && plan
                .vectors
                .iter()
                .all(|&vector| size / plan.turn / vector.max(plan.fixed) >= THREADS);
        // The elements of items: vectors along the first axis, then all axes of the tile. In CUDA,
        // if a word of shared memory has several elements, the vectors of the target that read the
        // same words come first.
        let together =
            if is_words || self.by_xor || plan.vectors[1] == 1 { 1 } else { 4 / plan.bytes.min(4) };
        // The elements of one thread, which takes whole axes and a part of the next axis, and the
        // steps between items.
        let target = plan.order[1].iter().filter(|&&k| plan.axes[k].tile > 1);
        let [fixed, between] = split_items(
            &target.map(|&k| (plan.axes[k].tile, unit(k))).collect::<Vec<_>>(),
            plan.fixed,
        );
        let leaves = |side: usize| {
            if side == 1 && plan.fixed > 1 {
                return between.clone();
            }
            let [own, other] = [plan.order[side][0], plan.order[1 - side][0]];
            let mut groups =
                plan.group_axes(if side == 1 && !is_words { &SIDES[1..] } else { &SIDES });
            groups.sort_by_key(|group| plan.order[side].iter().position(|k| *k == group[0]));
            let is_other = |group: &Vec<usize>| side == 1 && own != other && group[0] == other;
            let is_whole = groups.iter().any(is_other) && plan.axes[other].tile % together == 0;
            let first = (if is_whole { together } else { 1 }, unit(other));
            let leaf = |group: &Vec<usize>| {
                let by = match group {
                    group if group[0] == own => plan.vectors[side],
                    group if is_other(group) => plan.turn * first.0,
                    _ => 1,
                };
                (extent(group) / by, unit(group[0]) * by)
            };
            let rest = groups.iter().map(leaf);
            Some(first).filter(|first| first.0 > 1).into_iter().chain(rest).collect::<Vec<_>>()
        };
        let leaves = SIDES.map(leaves);
        let threads = split.unwrap_or(THREADS);
        let active = SIDES.map(|side| split.and_then(|threads| whole(&leaves[side], threads)));
        if split.is_some() && active.contains(&None) {
            return EmitError::refused("there are no equal parts");
        }
        let elements = |side: usize| -> Result<DynLayout, EmitError> {
            let Some(own) = active[side] else { return layout(&leaves[side]) };
            let [low, high] = split_items(&leaves[side], own);
            Ok(DynLayout::tuple(&[layout(&low)?, layout(&high)?])?)
        };
        let elements = [elements(0)?, elements(1)?];
        let accesses = |side: usize| -> Result<FlatLayout, EmitError> {
            let turn = (if side == 0 { 1 } else { plan.turn }, 1);
            let vector = layout(&[turn, (plan.vectors[side], unit(plan.order[side][0]))])?;
            Ok(FlatLayout::of(&DynLayout::tuple(&[elements[side].clone(), vector])?))
        };
        let (accesses, bits) = ([accesses(0)?, accesses(1)?], 8 * plan.bytes as usize);
        let (shared, widths, route) = if self.by_xor {
            let found = |side: usize| accesses[side].best_shared_layout(&accesses[1 - side], bits);
            // The search from the other side finds the same conflicts; the other side then reads
            // single elements.
            let turned = is_words && found(0).write_bits < found(1).read_bits;
            let best = found(usize::from(turned));
            let widths = SIDES
                .map(|side| if (side == 0) == turned { best.read_bits } else { best.write_bits });
            let shape = DynShape::tuple(best.basis().iter().map(|_| DynShape::from(2)))?;
            let strides =
                best.basis().iter().map(|&vector| DynStride::Xor(vector)).collect::<Vec<_>>();
            let route = format!(
                "{best}: {} bits written and {} read at once, {} passes with {} bank conflicts; no \
                 linear layout has fewer passes.",
                widths[0],
                widths[1],
                best.passes,
                best.conflicts()
            );
            (DynLayout::with_strides(&shape, strides)?, widths, route)
        } else {
            let is_turning = |group: &Vec<usize>| group.contains(&plan.order[1][0]);
            let groups: Vec<_> =
                groups.iter().map(|group| (extent(group), is_turning(group))).collect();
            pad_groups(&groups, plan.vectors[1], &accesses, bits, is_words)?
        };
        let of_axes = |step: &dyn Fn(usize) -> i128| -> Result<DynLayout, EmitError> {
            layout(&canon.iter().map(|&k| (plan.axes[k].tile, step(k))).collect::<Vec<_>>())
        };
        let phase = |side: usize| -> Result<Phase, EmitError> {
            let vector = plan.vectors[side];
            let is_fixed = side == 1 && plan.fixed > 1;
            let items = size / vector / if side == 0 { 1 } else { plan.turn * plan.fixed };
            let rounds = active[side].map_or(pieces(items, threads), |active| items / active);
            let mut layouts = vec![of_axes(&|k| plan.axes[k].step[side])?, shared.clone()];
            for &axis in &self.ragged {
                layouts.push(of_axes(&|k| i128::from(k == axis))?);
            }
            let value = |layout: &DynLayout| -> Result<Value, EmitError> {
                let named = NamedLayout::from(&layout.compose(&elements[side])?);
                Ok((0, false, if active[side].is_some() { named } else { named.flat() }))
            };
            let values = layouts.iter().map(value).collect::<Result<Vec<_>, _>>()?;
            let inputs = active[side]
                .map_or(vec![("v", items - 1)], |own| vec![("t", own - 1), ("k", rounds - 1)]);
            let function =
                fit_narrowest(None, &values[0].2, |word| function(word, &inputs, &values))?;
            let piece = if side == 1 && plan.turn > 1 { 1 } else { (widths[side] / bits) as i128 };
            let place = |n: i128| shared.at((n * piece * unit(plan.order[side][0])) as usize);
            let mut places: Vec<usize> = (0..vector / piece).map(place).collect();
            let vector = if is_fixed { plan.fixed } else { vector };
            if is_fixed {
                // Each thread must begin with a word of the tile, and places must be sums.
                let own = layout(&fixed)?;
                let adds = |n: usize| {
                    let (first, next) =
                        (elements[1].at(n / vector as usize), own.at(n % vector as usize));
                    let (place, next_place) = (shared.at(first), shared.at(next));
                    let sum = if self.by_xor { place ^ next_place } else { place + next_place };
                    place * bits % 32 == 0 && shared.at(first + next) == sum
                };
                if !(0..size as usize).all(adds) {
                    return EmitError::refused("places do not add up");
                }
                places = (0..vector as usize).map(|n| shared.at(own.at(n))).collect();
            }
            Ok(Phase { items, rounds, active: active[side], vector, piece, places, function })
        };
        self.phases = Some([phase(0)?, phase(1)?]);
        (self.size, self.threads) = (shared.cosize(), threads);
        let extents =
            plan.axes.iter().filter(|axis| axis.tile > 1).map(|axis| axis.tile.to_string());
        let extents = extents.collect::<Vec<_>>().join(" x ");
        Ok(format!("through a tile of {extents} in shared memory, laid out {route}"))
    }
}

/// A number of bytes, in words.
fn write_bytes(bytes: i128) -> String {
    if bytes == 1 { "1 byte".into() } else { format!("{bytes} bytes") }
}

/// The most threads that take the first axes of items whole and the next axis in equal parts; at
/// least one thread of the last warp works.
fn whole(items: &[(i128, i128)], threads: i128) -> Option<i128> {
    let mut counts = (threads - WARP + 1..=threads).rev();
    counts.find(|active| {
        items.iter().try_fold(*active, |left, item| divide_items(left, item.0)) == Some(1)
    })
}

/// Splits the axes of items in two: the part that the thread's number chooses, and the part that
/// the round chooses.
fn split_items(items: &[(i128, i128)], threads: i128) -> [Vec<(i128, i128)>; 2] {
    let (mut low, mut high, mut left) = (Vec::new(), Vec::new(), threads);
    for &(extent, stride) in items {
        let own = extent.min(left);
        low.push((own, stride));
        high.push((extent / own, stride * own));
        left /= own;
    }
    [low, high]
}

/// The padded layout of shared memory with the fewest passes of both sides, the bits that each side
/// moves at once, and its description. Groups of elements follow one another; the padding is at the
/// group of the target's direction, and vectors of the target are 16 bytes apart if this takes
/// fewer passes.
fn pad_groups(
    groups: &[(i128, bool)],
    vector: i128,
    threads: &[FlatLayout; 2],
    bits: usize,
    is_words: bool,
) -> Result<(DynLayout, [usize; 2], String), EmitError> {
    let size: i128 = groups.iter().map(|group| group.0).product();
    let most = 8 * MOST_BYTES / bits as i128;
    let (mut best, mut fewest) = (None, usize::MAX);
    let access = 128 / bits as i128;
    // If vectors are apart, all vectors stay aligned.
    let word = if is_words { (32 / bits as i128).max(1) } else { 1 };
    let pads =
        (0..=MOST_PAD).map(|pad| (0, pad * word)).chain((0..3).map(|pad| (access, pad * access)));
    for (apart, pad) in pads {
        let (mut leaves, mut next) = (Vec::new(), 1);
        for &(extent, is_turning) in groups {
            next += if is_turning { pad } else { 0 };
            let vector = if is_turning && extent % vector == 0 { vector } else { extent };
            let far = next * vector + if vector < extent { apart } else { 0 };
            leaves.extend([(vector, next), (extent / vector, far)]);
            next = far * (extent / vector);
        }
        if next > most.max(size) {
            continue;
        }
        let shared = layout(&leaves)?;
        let memory = FlatLayout::of(&shared);
        let widths = SIDES.map(|side| memory.vector_width(&threads[side], bits, 16));
        let counts = SIDES.map(|side| {
            WarpAccess::new(&threads[side], bits, widths[side]).bank_conflicts(&memory)
        });
        let [passes, least] =
            [counts[0].passes + counts[1].passes, counts[0].phases + counts[1].phases];
        if passes < fewest {
            fewest = passes;
            let route =
                format!("{}: {passes} passes, where {least} are the least.", shared.coalesce());
            best = Some((shared, widths, route));
        }
        if passes == least {
            break;
        }
    }
    best.map_or_else(|| EmitError::refused("there is no tile"), Ok)
}
