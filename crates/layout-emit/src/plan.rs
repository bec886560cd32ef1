//! How elements go from one layout to another: which axes there are, and which part of them a block of threads takes.
//!
//! ```text
//! to[TO(i)] = from[FROM(i)]  for all i     axes (extent, stride of FROM, stride of TO): both layouts, cut where either is
//! ```
//!
//! Axes that are one run in both layouts are one axis. A run that both layouts share makes wider elements. If the
//! fastest axis is then the same in both, elements go directly; else through a tile in shared memory, long enough in
//! the fastest axes of each layout that both sides move whole lines.

use crate::source::{Leaf, NamedLayout, Step};

/// Bytes of a tile, and those that either side moves in a row at least.
pub const TILE_BYTES: i128 = 16 << 10;
/// The widest access of a thread.
pub const WIDEST: i128 = 16;
/// Threads of a block.
pub const THREADS: i128 = 256;
/// The two sides of a copy.
pub const SIDES: [usize; 2] = [0, 1];

/// An axis: how many steps, how far one goes in FROM and in TO, and how many of it a block takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    pub extent: i128,
    pub step: [i128; 2],
    pub tile: i128,
}

/// A plan.
#[derive(Clone, Debug)]
pub struct Plan {
    pub axes: Vec<Axis>,
    /// Bytes of an element, of which one may be several of those that are asked for.
    pub bytes: i128,
    /// All axes, the fastest of either side first.
    pub order: [Vec<usize>; 2],
    /// How many of the first axes of either side are one run, along which its vectors lie.
    pub runs: [usize; 2],
    /// Elements that a thread moves at once, on either side.
    pub vectors: [i128; 2],
    /// Vectors of the target side by side that a thread makes at once, of words with an element of each.
    pub turn: i128,
    /// Elements of the target that lie equally far from the first one in the tile for all threads: vectors of narrow elements.
    pub fixed: i128,
    /// Whether a tile lies in shared memory between the two.
    pub shared: bool,
    /// Whether both sides move aligned vectors though rows begin anywhere: the tile is a plane of the two fastest axes.
    pub slanted: bool,
}

/// The axes of two layouts of one size. `None` if a layout has a swizzle, a negative or an XOR stride, or if of two modes
/// that meet neither extent divides the other.
pub fn axes(from: &NamedLayout, to: &NamedLayout) -> Option<Vec<Axis>> {
    let leaves = |layout: &NamedLayout| -> Option<Vec<(i128, i128)>> {
        let natural = |leaf: &Leaf| match &leaf.step {
            Step::Sum(stride) if stride.factor >= 0 => Some((leaf.extent.factor, stride.factor)),
            _ => None,
        };
        let moving = layout.leaves().filter(|leaf| leaf.extent.factor != 1);
        let mut all: Vec<_> = moving.map(natural).collect::<Option<_>>()?;
        all.reverse();
        layout.outer.is_none().then_some(all)
    };
    let (mut left, mut right, mut axes) = (leaves(from)?, leaves(to)?, Vec::new());
    while let (Some(a), Some(b)) = (left.pop(), right.pop()) {
        let extent = a.0.min(b.0);
        if a.0 % extent != 0 || b.0 % extent != 0 {
            return None;
        }
        axes.push(Axis { extent, step: [a.1, b.1], tile: extent });
        for (stack, (whole, stride)) in [(&mut left, a), (&mut right, b)] {
            if whole > extent {
                stack.push((whole / extent, stride * extent));
            }
        }
    }
    // Axes of which one continues another in both layouts are one.
    let next = |axes: &[Axis]| {
        let pairs = (0..axes.len()).flat_map(|a| (0..axes.len()).map(move |b| (a, b)));
        pairs.into_iter().find(|&(a, b)| a != b && SIDES.iter().all(|&side| continues(&axes[a], &axes[b], side)))
    };
    while let Some((a, b)) = next(&axes) {
        axes[a].extent *= axes[b].extent;
        axes[a].tile = axes[a].extent;
        axes.remove(b);
    }
    Some(axes)
}

/// What is left of a number of items after those of an axis, or of an equal part of it.
pub fn parted(left: i128, extent: i128) -> Option<i128> {
    let own = extent.min(left);
    (left % own == 0 && extent % own == 0).then(|| left / own)
}

fn continues(axis: &Axis, next: &Axis, side: usize) -> bool {
    next.step[side] == axis.step[side] * axis.extent
}

impl Plan {
    /// The plan of a copy of elements of so many bytes; where memory is words, threads make whole ones of narrow elements.
    pub fn new(axes: Vec<Axis>, bytes: i128, is_words: bool) -> Plan {
        let (order, runs, vectors) = ([Vec::new(), Vec::new()], [1, 1], [1, 1]);
        let mut plan = Plan { axes, bytes, order, runs, vectors, turn: 1, fixed: 1, shared: false, slanted: false };
        plan.widen();
        plan.order = SIDES.map(|side| {
            let mut order: Vec<usize> = (0..plan.axes.len()).collect();
            // What does not move comes last; of equal strides the longest first.
            let key = |axis: &Axis| (axis.step[side] == 0, axis.step[side], -axis.extent);
            order.sort_by_key(|&k| key(&plan.axes[k]));
            order
        });
        if let [Some(a), Some(b)] = SIDES.map(|side| plan.order[side].first()) {
            plan.shared = a != b || plan.axes[*a].extent * plan.bytes < 64;
        }
        if plan.shared {
            plan.tile(is_words);
            plan.slant(is_words);
            let (each, [s, d]) = (4 / plan.bytes.min(4), SIDES.map(|side| plan.order[side][0]));
            let all = [plan.axes[s].extent, plan.axes[s].tile, plan.vectors[0], plan.vectors[1]];
            if is_words && s != d && all.iter().all(|n| n % each == 0) && !plan.order[1][..plan.runs[1]].contains(&s) {
                plan.turn = each;
            }
            // A run of the target on which the source's fastest axis lies, too.
            let is_next = |pair: &&[usize]| {
                let [last, next] = [plan.axes[pair[0]], plan.axes[pair[1]]];
                continues(&last, &next, 1) && last.tile == last.extent && next.tile > 1
            };
            let run = 1 + plan.order[1].windows(2).take_while(is_next).count();
            let (run, width) = (&plan.order[1][..run], WIDEST / plan.bytes);
            let widest = plan.widest(run, &[1]);
            // A vector that is whole axes and an equal part of the next one.
            let is_whole = run.iter().try_fold(width, |left, &k| parted(left, plan.axes[k].tile)) == Some(1);
            if is_words && !plan.slanted && plan.bytes < 4 && plan.vectors[1] < width && widest == width && is_whole {
                plan.fixed = width;
            }
        }
        plan
    }

    /// Makes elements wider by what is a run of both layouts, and divides the strides.
    fn widen(&mut self) {
        let Some(first) = self.axes.iter().position(|axis| axis.step == [1, 1]) else { return };
        let width = self.widest(&[first], &SIDES);
        self.bytes *= width;
        for (k, axis) in self.axes.iter_mut().enumerate() {
            if k == first {
                axis.extent /= width;
            } else {
                axis.step = axis.step.map(|step| step / width);
            }
        }
        self.axes.retain(|axis| axis.extent != 1);
    }

    /// The most elements of a run of axes that are one access on these sides, wherever a tile begins.
    fn widest(&self, run: &[usize], sides: &[usize]) -> i128 {
        let [extent, tile] = [|axis: &Axis| axis.extent, |axis: &Axis| axis.tile]
            .map(|of| run.iter().map(|&k| of(&self.axes[k])).product::<i128>());
        let is_whole = |width: &i128| {
            let others = (0..self.axes.len()).filter(|k| !run.contains(k));
            let mut steps = others.flat_map(|k| sides.iter().map(move |&side| self.axes[k].step[side]));
            extent % width == 0 && tile % width == 0 && steps.all(|step| step % width == 0)
        };
        if sides.iter().any(|&side| run.first().is_none_or(|&first| self.axes[first].step[side] != 1)) {
            return 1;
        }
        (0..5).map(|bits| 1 << bits).filter(|width| width * self.bytes <= WIDEST && is_whole(width)).max().unwrap_or(1)
    }

    /// Chooses the tile.
    fn tile(&mut self, is_words: bool) {
        let (each, mut longest) = (self.bytes, 0);
        self.axes.iter_mut().for_each(|axis| axis.tile = 1);
        // Long rows that begin anywhere have much padding, and drivers of Vulkan give a multiprocessor 48 KiB in all.
        let [s, d] = SIDES.map(|side| self.axes[self.order[side][0]].extent);
        let tile_bytes = TILE_BYTES >> i128::from(is_words && each > 1 && s * each > 1024 && s * each % WIDEST != 0);
        let most = tile_bytes / each;
        let side_of = (0..).map(|bits| 1 << bits).find(|side| side * side >= most).unwrap_or(1);
        // Bytes of short axes on both sides: runs of the target are longer.
        let is_long = is_words && each == 1 && s.max(d) < side_of && s.count_ones().min(d.count_ones()) > 1;
        let needs = if is_long { [3 * side_of, most / (3 * side_of)] } else { [side_of, most / side_of] };
        for (side, mut need) in SIDES.map(|side| if is_long { 1 - side } else { side }).into_iter().zip(needs) {
            let (mut last, mut length): (Option<usize>, i128) = (None, 1);
            for &k in &self.order[side] {
                // A run ends where the next stride is not its length.
                let is_next = |last: usize| {
                    let axis = &self.axes[last];
                    axis.tile == axis.extent && continues(axis, &self.axes[k], side)
                };
                if need <= 1 || last.is_some_and(|last| !is_next(last)) {
                    break;
                }
                let axis = &mut self.axes[k];
                // A little more than is needed is better than a rest.
                let vector = WIDEST / self.bytes.min(WIDEST);
                let part = whole_part(axis.extent, need, vector, |part| part * length % vector == 0);
                let tile = if 2 * axis.extent <= 3 * need { axis.extent } else { part };
                axis.tile = axis.tile.max(tile);
                // What is missing, to the nearest.
                need = (2 * need + axis.tile) / (2 * axis.tile);
                (last, length) = (Some(k), length * axis.tile);
            }
            longest = length.max(longest);
        }
        // In WGSL, large tiles are slower, but where they make short runs longer.
        let most_bytes = if is_words && longest * each >= 128 { 5 * tile_bytes / 4 } else { 2 * tile_bytes };
        while self.size() * each > most_bytes {
            let is_inner = |k: usize| self.axes[k].tile > 1 && SIDES.iter().all(|&side| self.order[side][0] != k);
            let largest = (0..self.axes.len()).max_by_key(|&k| (is_inner(k), self.axes[k].tile)).unwrap_or(0);
            self.axes[largest].tile = (self.axes[largest].tile + 1) / 2;
        }
        // Where either side is short, a longer run of the other makes a tile that is worth a block.
        let [from, to] = &self.order;
        for k in from.iter().take(1).chain(to).chain(from).copied().collect::<Vec<_>>() {
            while self.axes[k].tile < self.axes[k].extent {
                let Axis { extent, tile, .. } = self.axes[k];
                // To the next part that divides the axis, if it is near.
                let times = (2..=5).find(|times| extent % (tile * times) == 0).unwrap_or(2);
                let limit = if times > 2 { most_bytes } else { tile_bytes };
                if self.size() * each * times > limit {
                    break;
                }
                self.axes[k].tile = (tile * times).min(extent);
            }
        }
        // Axes of a run that no edge cuts are crossed by vectors; those of both runs lie in one.
        for side in SIDES.into_iter().filter(|_| self.order[0][0] != self.order[1][0]) {
            let order = &self.order[side];
            let others = &self.order[1 - side][..if side == 0 { 1 } else { self.runs[0] }];
            let is_next = |pair: &&[usize]| {
                let [last, next] = [self.axes[pair[0]], self.axes[pair[1]]];
                let is_cut = last.tile != last.extent || next.extent % next.tile != 0 || next.tile == 1;
                continues(&last, &next, side) && !is_cut && !others.contains(&pair[1])
            };
            self.runs[side] = 1 + order.windows(2).take_while(is_next).count();
        }
        self.vectors = SIDES.map(|side| self.widest(&self.order[side][..self.runs[side]], &[side]));
    }

    /// Where vectors would be narrow, because rows begin anywhere: a plane of long rows on both sides, if there is one.
    fn slant(&mut self, is_words: bool) {
        let [s, d] = SIDES.map(|side| self.order[side][0]);
        let (a, b) = (self.axes[s], self.axes[d]);
        let is_narrow = self.vectors[0].min(self.vectors[1]) * self.bytes < WIDEST;
        // Bytes that are turned in registers gain by shorter rows, too.
        let [from, to] = if is_words && self.bytes == 1 { [40, 42] } else { [64, 64] };
        let is_long = a.tile * self.bytes >= from && b.tile * self.bytes >= to;
        let is_plane = s != d && a.step[0] == 1 && b.step[1] == 1 && b.step[0] >= a.extent;
        // Where memory is words, vectors at the ends of rows are whole ones of a target without gaps.
        let is_whole = self.bytes <= 4 && self.reach(1) == self.elements() - 1;
        self.slanted = is_plane && is_narrow && is_long && (is_whole || !is_words);
        if self.slanted {
            // Rows that the threads of a block can read at once, and whole sectors along a row of the target.
            self.axes[s].tile = a.tile.min(if is_words { THREADS * 3 / 8 } else { THREADS });
            let sector = 2 * WIDEST / self.bytes;
            let [by_row, readers] = self.readers();
            if is_words && 4 * readers < 3 * THREADS {
                self.axes[s].tile = ((1 << by_row.ilog2()) - 1) * sector / 2;
            }
            let rows = if is_words { 0 } else { TILE_BYTES / (self.axes[s].tile * self.bytes) / 64 * 64 };
            self.axes[d].tile = rows.max((self.axes[d].tile + sector - 1) / sector * sector);
            (0..self.axes.len()).filter(|k| ![s, d].contains(k)).for_each(|k| self.axes[k].tile = 1);
        }
    }

    /// Whether the source's fastest axis is the one behind a row of the target: else other axes lie between two columns.
    pub fn is_followed(&self) -> bool {
        let [s, d] = SIDES.map(|side| &self.axes[self.order[side][0]]);
        continues(d, s, 1)
    }

    /// Rows of a plane after which one begins as far from a vector.
    pub fn equal_rows(&self) -> i128 {
        let (width, step) = (WIDEST / self.bytes, self.axes[self.order[1][0]].step[0]);
        (1..=width).find(|rows| rows * step % width == 0).unwrap_or(width)
    }

    /// Vectors of a row of a plane, and threads that read rows of equal begins at once.
    pub fn readers(&self) -> [i128; 2] {
        let (width, equal) = (WIDEST / self.bytes, self.equal_rows());
        let by_row = (self.axes[self.order[0][0]].tile + 2 * width - 2) / width;
        [by_row, THREADS / by_row / equal * equal * by_row]
    }

    /// The last offset of a side.
    pub fn reach(&self, side: usize) -> i128 {
        self.axes.iter().map(|axis| (axis.extent - 1) * axis.step[side]).sum()
    }
    /// Elements of a tile.
    pub fn size(&self) -> i128 {
        self.axes.iter().map(|axis| axis.tile).product()
    }
    /// All elements, as wide as they are.
    pub fn elements(&self) -> i128 {
        self.axes.iter().map(|axis| axis.extent).product()
    }
}

/// A part of about `need` of an extent: one that divides it if that is near, for a short axis; of vectors, if there is one.
fn whole_part(extent: i128, need: i128, vector: i128, is_vectors: impl Fn(i128) -> bool) -> i128 {
    let divides = |part: &i128| extent % part == 0 && 3 * part >= 2 * need && 2 * part <= 3 * need;
    let near = (1..24).filter(divides).min_by_key(|&part| (!is_vectors(part), (part - need).abs(), -part));
    // Half of it, if that is a whole line and there is then no rest, which was more than an eighth.
    let is_better =
        need >= 16 * vector && 8 * ((need - extent % need) % need) > extent && extent % (need / 2).max(1) == 0;
    if need < 16 { near.unwrap_or(need) } else { need >> u32::from(is_better) }
}
