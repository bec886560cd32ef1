//! How elements move from one layout to another: the axes, and the part of them that a block of
//! threads takes.
//!
//! ```text
//! to[TO(i)] = from[FROM(i)]  for all i
//! axes (extent, stride of FROM, stride of TO): both layouts, cut where either of them is cut
//! ```
//!
//! Axes that form one run in both layouts are joined. A run that both layouts share makes wider
//! elements. If the fastest axis is then the same in both layouts, elements move directly;
//! otherwise through a tile in shared memory, long enough in the fastest axes of each layout for
//! whole lines on both sides. If vectors would be narrow, the tile is a plane of long rows, or has
//! runs.

use layout_algebra::{DynLayout, DynStride};

use crate::source::NamedLayout;

/// Bytes of a tile, without padding.
pub const TILE_BYTES: i128 = 16 << 10;
/// Bytes of a cache line.
pub const LINE: i128 = 128;
/// Threads of a warp.
pub const WARP: i128 = 32;
/// The widest access of a thread.
pub const WIDEST: i128 = 16;
/// Threads of a block.
pub const THREADS: i128 = 256;
/// The two sides of a copy: source and target.
pub const SIDES: [usize; 2] = [0, 1];

/// The least bytes of a row on both sides for direct moves: shorter rows waste half a line.
const DIRECT_ROW: i128 = 64;
/// Bytes of the shortest rows of a plane, of the source and of the target.
const PLANE_ROWS: [i128; 2] = [64, 64];
/// The same for bytes that threads transpose in registers: shorter rows pay, too.
const TURNED_ROWS: [i128; 2] = [40, 42];
/// Above this many bytes of a row at any alignment, a tile of half the size is faster in WGSL.
const PADDED_ROW: i128 = 1024;
/// The rows of a part of a plane.
const PLANE_PART: i128 = 64;
/// Below this extent of an axis in a tile, the plan searches for a part that divides the axis.
const SHORT_PART: i128 = 16;
/// The largest part of this search.
const MOST_PART: i128 = 24;

/// An axis: its extent, its strides in FROM and in TO, and its extent in a block.
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
    /// Bytes of an element of the plan, which may be several elements of the layouts.
    pub bytes: i128,
    /// The approximate bytes of a tile.
    pub tile_bytes: i128,
    /// All axes, the fastest axes of both sides first.
    pub order: [Vec<usize>; 2],
    /// The axes of a side that form its first run. Vectors lie along this run.
    pub runs: [usize; 2],
    /// Elements of a vector on each side.
    pub vectors: [i128; 2],
    /// Adjacent vectors of the target that a thread makes at once, from words with an element of
    /// each vector.
    pub turn: i128,
    /// Elements of the target whose distances in the tile are the same for all threads: vectors of
    /// narrow elements.
    pub fixed: i128,
    /// Whether elements move through a tile in shared memory.
    pub shared: bool,
    /// Whether the tile is a plane of the two fastest axes: both sides move aligned vectors
    /// although rows have any alignment.
    pub slanted: bool,
    /// Whether the tile has runs of both sides; only the reads are vectors.
    pub by_runs: bool,
    /// Whether memory consists of words, as in WGSL.
    pub is_words: bool,
}

/// The axes of two layouts of one size. `None` if a layout has a swizzle, a negative or an XOR
/// stride, or if two modes overlap and neither extent divides the other.
pub fn common_axes(from: &NamedLayout, to: &NamedLayout) -> Option<Vec<Axis>> {
    if from.outer.is_some() || to.outer.is_some() {
        return None;
    }
    let refined = DynLayout::mutual_refinement(&[from.plain.as_ref()?, to.plain.as_ref()?]).ok()?;
    let natural = |stride: DynStride| match stride {
        DynStride::Natural(stride) => Some(stride as i128),
        DynStride::Negative(_) | DynStride::Xor(_) => None,
    };
    let steps = refined[0].strides().zip(refined[1].strides());
    let mut axes = Vec::new();
    for (&extent, (from, to)) in refined[0].shape().leaves().iter().zip(steps) {
        let extent = extent as i128;
        axes.push(Axis { extent, step: [natural(from)?, natural(to)?], tile: extent });
    }
    axes.retain(|axis| axis.extent > 1);
    // Two axes are joined if the second continues the first in both layouts.
    let next = |axes: &[Axis]| {
        let pairs = (0..axes.len()).flat_map(|a| (0..axes.len()).map(move |b| (a, b)));
        pairs.into_iter().find(|&(a, b)| {
            a != b && SIDES.iter().all(|&side| is_continued(&axes[a], &axes[b], side))
        })
    };
    while let Some((a, b)) = next(&axes) {
        axes[a].extent *= axes[b].extent;
        axes[a].tile = axes[a].extent;
        axes.remove(b);
    }
    Some(axes)
}

/// The number of pieces of an extent; the last piece may be shorter.
pub fn pieces(extent: i128, piece: i128) -> i128 {
    (extent + piece - 1) / piece
}

/// Divides a number of items by the extent of an axis, or by a divisor of the extent.
pub fn divide_items(left: i128, extent: i128) -> Option<i128> {
    let own = extent.min(left);
    (left % own == 0 && extent % own == 0).then(|| left / own)
}

fn is_continued(axis: &Axis, next: &Axis, side: usize) -> bool {
    next.step[side] == axis.step[side] * axis.extent
}

impl Plan {
    /// The plan of a copy. If memory consists of words, threads join narrow elements to whole
    /// words.
    pub fn new(axes: Vec<Axis>, bytes: i128, tile_bytes: i128, is_words: bool) -> Plan {
        let (order, runs, vectors) = ([Vec::new(), Vec::new()], [1, 1], [1, 1]);
        let mut plan = Plan {
            axes,
            bytes,
            tile_bytes,
            order,
            runs,
            vectors,
            turn: 1,
            fixed: 1,
            shared: false,
            slanted: false,
            by_runs: false,
            is_words,
        };
        plan.widen_elements();
        plan.order = SIDES.map(|side| {
            let mut order: Vec<usize> = (0..plan.axes.len()).collect();
            // An axis of stride 0 comes last; of two equal strides, the longer axis comes first.
            let key = |axis: &Axis| (axis.step[side] == 0, axis.step[side], -axis.extent);
            order.sort_by_key(|&k| key(&plan.axes[k]));
            order
        });
        if let [Some(a), Some(b)] = SIDES.map(|side| plan.order[side].first()) {
            plan.shared = a != b || plan.axes[*a].extent * plan.bytes < DIRECT_ROW;
        }
        if plan.shared {
            plan.tile(is_words);
            plan.choose_plane(is_words);
            let (each, [s, d]) = (4 / plan.bytes.min(4), SIDES.map(|side| plan.order[side][0]));
            let all = [plan.axes[s].extent, plan.axes[s].tile, plan.vectors[0], plan.vectors[1]];
            if is_words
                && s != d
                && all.iter().all(|n| n % each == 0)
                && !plan.order[1][..plan.runs[1]].contains(&s)
            {
                plan.turn = each;
            }
            // A run of the target that contains the source's fastest axis, too.
            let is_next = |pair: &&[usize]| {
                let [last, next] = [plan.axes[pair[0]], plan.axes[pair[1]]];
                is_continued(&last, &next, 1) && last.tile == last.extent && next.tile > 1
            };
            let run = 1 + plan.order[1].windows(2).take_while(is_next).count();
            let (run, width) = (&plan.order[1][..run], WIDEST / plan.bytes);
            let widest = plan.widest_vector(run, &[1]);
            // A vector covers whole axes, and a divisor of the next axis.
            let is_whole =
                run.iter().try_fold(width, |left, &k| divide_items(left, plan.axes[k].tile))
                    == Some(1);
            if is_words
                && !plan.slanted
                && plan.bytes < 4
                && plan.vectors[1] < width
                && widest == width
                && is_whole
            {
                plan.fixed = width;
            }
        }
        if plan.gains_by_runs() {
            plan = plan.with_runs().unwrap_or(plan);
        }
        plan
    }

    /// Whether a tile of runs is faster than vectors that are narrow on one side, or than direct
    /// moves of narrow elements. In WGSL, windows, which read elements more than once, have another
    /// kernel.
    fn gains_by_runs(&self) -> bool {
        let [from, to] = self.vectors.map(|vector| vector * self.bytes);
        let narrow = from.min(to);
        // If memory consists of words, reads of single words are fast if the writes are vectors.
        let is_well = narrow == WIDEST || from <= 4 && to == WIDEST;
        match self.shared {
            true if self.is_words => {
                !self.slanted && self.bytes >= 4 && !is_well && !self.is_repeated()
            }
            true => {
                let is_fast = self.slanted || narrow > 4 && (self.bytes != 8 || narrow == WIDEST);
                !is_fast || self.is_repeated() || 5 * self.tiled_elements() > 6 * self.elements()
            }
            false => !self.is_words && self.bytes <= 2 && !self.axes.is_empty(),
        }
    }

    /// The elements of all tiles, with those beyond ragged edges.
    pub fn tiled_elements(&self) -> i128 {
        self.axes.iter().map(|axis| pieces(axis.extent, axis.tile) * axis.tile).product()
    }

    /// Whether the copy reads elements more than once.
    pub fn is_repeated(&self) -> bool {
        2 * self.reach(0) < self.elements()
    }

    /// Joins neighbours in both layouts to wider elements, and divides the strides.
    fn widen_elements(&mut self) {
        let Some(first) = self.axes.iter().position(|axis| axis.step == [1, 1]) else { return };
        let width = self.widest_vector(&[first], &SIDES);
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

    /// The most elements of a run that one access moves on these sides, wherever a tile begins.
    fn widest_vector(&self, run: &[usize], sides: &[usize]) -> i128 {
        let [extent, tile] = [|axis: &Axis| axis.extent, |axis: &Axis| axis.tile]
            .map(|of| run.iter().map(|&k| of(&self.axes[k])).product::<i128>());
        let is_whole = |width: &i128| {
            let others = (0..self.axes.len()).filter(|k| !run.contains(k));
            let mut steps =
                others.flat_map(|k| sides.iter().map(move |&side| self.axes[k].step[side]));
            extent % width == 0 && tile % width == 0 && steps.all(|step| step % width == 0)
        };
        if sides
            .iter()
            .any(|&side| run.first().is_none_or(|&first| self.axes[first].step[side] != 1))
        {
            return 1;
        }
        (0..5)
            .map(|bits| 1 << bits)
            .filter(|width| width * self.bytes <= WIDEST && is_whole(width))
            .max()
            .unwrap_or(1)
    }

    /// Chooses the tile.
    fn tile(&mut self, is_words: bool) {
        let (each, mut longest) = (self.bytes, 0);
        self.axes.iter_mut().for_each(|axis| axis.tile = 1);
        // Long rows at any alignment have much padding, and drivers of Vulkan give a multiprocessor
        // only 48 KiB.
        let [s, d] = SIDES.map(|side| self.axes[self.order[side][0]].extent);
        let tile_bytes = self.tile_bytes
            >> i128::from(is_words && each > 1 && s * each > PADDED_ROW && s * each % WIDEST != 0);
        let most = tile_bytes / each;
        let side_of = (0..).map(|bits| 1 << bits).find(|side| side * side >= most).unwrap_or(1);
        // If the axes of both sides are short and elements are bytes, the target gets longer runs.
        let is_long =
            is_words && each == 1 && s.max(d) < side_of && s.count_ones().min(d.count_ones()) > 1;
        let first = if is_long { 3 * side_of } else { side_of };
        let needs = [first, most / first];
        for (side, mut need) in
            SIDES.map(|side| if is_long { 1 - side } else { side }).into_iter().zip(needs)
        {
            let (mut last, mut length): (Option<usize>, i128) = (None, 1);
            for &k in &self.order[side] {
                // A run ends where the next stride differs from the length of the run.
                let is_next = |last: usize| {
                    let axis = &self.axes[last];
                    axis.tile == axis.extent && is_continued(axis, &self.axes[k], side)
                };
                if need <= 1 || last.is_some_and(|last| !is_next(last)) {
                    break;
                }
                let axis = &mut self.axes[k];
                // An axis slightly longer than needed is taken whole: a rest would cost more.
                let vector = WIDEST / self.bytes.min(WIDEST);
                let part =
                    choose_part(axis.extent, need, vector, |part| part * length % vector == 0);
                let tile = if 2 * axis.extent <= 3 * need { axis.extent } else { part };
                axis.tile = axis.tile.max(tile);
                // The missing factor, rounded.
                need = (2 * need + axis.tile) / (2 * axis.tile);
                (last, length) = (Some(k), length * axis.tile);
            }
            longest = length.max(longest);
        }
        // In WGSL large tiles are slower, unless a larger tile makes short runs longer.
        let most_bytes =
            if is_words && longest * each >= LINE { 5 * tile_bytes / 4 } else { 2 * tile_bytes };
        while self.size() * each > most_bytes {
            let is_inner = |k: usize| {
                self.axes[k].tile > 1 && SIDES.iter().all(|&side| self.order[side][0] != k)
            };
            let largest =
                (0..self.axes.len()).max_by_key(|&k| (is_inner(k), self.axes[k].tile)).unwrap_or(0);
            self.axes[largest].tile = (self.axes[largest].tile + 1) / 2;
        }
        // If one side is short, a longer run of the other side gives the block enough work.
        let [from, to] = &self.order;
        for k in from.iter().take(1).chain(to).chain(from).copied().collect::<Vec<_>>() {
            while self.axes[k].tile < self.axes[k].extent {
                let Axis { extent, tile, .. } = self.axes[k];
                // Takes the next part that divides the axis, if this part is near.
                let times = (2..=5).find(|times| extent % (tile * times) == 0).unwrap_or(2);
                let limit = if times > 2 { most_bytes } else { tile_bytes };
                if self.size() * each * times > limit {
                    break;
                }
                self.axes[k].tile = (tile * times).min(extent);
            }
        }
        // Vectors cross the axes of a run that no edge cuts; an axis of both runs belongs to one
        // run.
        for side in SIDES.into_iter().filter(|_| self.order[0][0] != self.order[1][0]) {
            let order = &self.order[side];
            let others = &self.order[1 - side][..if side == 0 { 1 } else { self.runs[0] }];
            let is_next = |pair: &&[usize]| {
                let [last, next] = [self.axes[pair[0]], self.axes[pair[1]]];
                let is_cut =
                    last.tile != last.extent || next.extent % next.tile != 0 || next.tile == 1;
                is_continued(&last, &next, side) && !is_cut && !others.contains(&pair[1])
            };
            self.runs[side] = 1 + order.windows(2).take_while(is_next).count();
        }
        self.vectors =
            SIDES.map(|side| self.widest_vector(&self.order[side][..self.runs[side]], &[side]));
    }

    /// If vectors would be narrow because rows have any alignment: a plane of long rows on both
    /// sides, if one exists.
    fn choose_plane(&mut self, is_words: bool) {
        let [s, d] = SIDES.map(|side| self.order[side][0]);
        let (a, b) = (self.axes[s], self.axes[d]);
        let is_narrow = self.vectors[0].min(self.vectors[1]) * self.bytes < WIDEST;
        let [from, to] = if is_words && self.bytes == 1 { TURNED_ROWS } else { PLANE_ROWS };
        let is_long = a.tile * self.bytes >= from && b.tile * self.bytes >= to;
        let is_plane = s != d && a.step[0] == 1 && b.step[1] == 1 && b.step[0] >= a.extent;
        // If memory consists of words, a vector at the end of a row is whole only if the target has
        // no gaps; whole words are faster by runs.
        let is_whole = self.bytes <= 2 && self.reach(1) == self.elements() - 1;
        // In CUDA, a plane has whole columns, and rows of bytes and halves that begin near a word
        // or a half of a vector share the same banks.
        let is_apart = self.bytes > 2 || b.step[0] % (4 * self.bytes) != 0;
        let is_fast = b.extent >= 2 * PLANE_PART && is_apart;
        self.slanted =
            is_plane && is_narrow && is_long && if is_words { is_whole } else { is_fast };
        if self.slanted {
            // The rows that the threads of a block read at once, and whole sectors along a row of
            // the target.
            self.axes[s].tile = a.tile.min(if is_words { THREADS * 3 / 8 } else { THREADS });
            let sector = 2 * WIDEST / self.bytes;
            let [by_row, readers] = self.count_readers();
            if is_words && 4 * readers < 3 * THREADS {
                self.axes[s].tile = ((1 << by_row.ilog2()) - 1) * sector / 2;
            }
            let rows = if is_words {
                0
            } else {
                self.tile_bytes / (self.axes[s].tile * self.bytes) / PLANE_PART * PLANE_PART
            };
            self.axes[d].tile = rows.max(pieces(self.axes[d].tile, sector) * sector);
            (0..self.axes.len())
                .filter(|k| ![s, d].contains(k))
                .for_each(|k| self.axes[k].tile = 1);
        }
    }

    /// Whether the source's fastest axis follows a row of the target; otherwise other axes lie
    /// between two columns.
    pub fn is_followed(&self) -> bool {
        let [s, d] = SIDES.map(|side| &self.axes[self.order[side][0]]);
        is_continued(d, s, 1)
    }

    /// The number of rows after which the distance from a row's begin to a vector repeats.
    pub fn count_equal_rows(&self) -> i128 {
        let (width, step) = (WIDEST / self.bytes, self.axes[self.order[1][0]].step[0]);
        (1..=width).find(|rows| rows * step % width == 0).unwrap_or(width)
    }

    /// The vectors of a row of a plane, and the threads that read at once if all their rows begin
    /// at the same distance from a vector.
    pub fn count_readers(&self) -> [i128; 2] {
        let (width, equal) = (WIDEST / self.bytes, self.count_equal_rows());
        let by_row = (self.axes[self.order[0][0]].tile + 2 * width - 2) / width;
        [by_row, THREADS / by_row / equal * equal * by_row]
    }

    /// The largest offset of a side.
    pub fn reach(&self, side: usize) -> i128 {
        self.axes.iter().map(|axis| (axis.extent - 1) * axis.step[side]).sum()
    }
    /// Elements of a tile.
    pub fn size(&self) -> i128 {
        self.axes.iter().map(|axis| axis.tile).product()
    }
    /// All elements of the plan.
    pub fn elements(&self) -> i128 {
        self.axes.iter().map(|axis| axis.extent).product()
    }
}

/// A part of an extent, about `need`. For a short axis, a near divisor of the extent, and
/// preferably whole vectors.
fn choose_part(extent: i128, need: i128, vector: i128, is_vectors: impl Fn(i128) -> bool) -> i128 {
    let divides = |part: &i128| extent % part == 0 && 3 * part >= 2 * need && 2 * part <= 3 * need;
    let near = (1..MOST_PART)
        .filter(divides)
        .min_by_key(|&part| (!is_vectors(part), (part - need).abs(), -part));
    // Half of `need`, if this half is a whole line and divides the extent, and the rest was more
    // than an eighth.
    let is_better = need >= 16 * vector
        && 8 * ((need - extent % need) % need) > extent
        && extent % (need / 2).max(1) == 0;
    if need < SHORT_PART { near.unwrap_or(need) } else { need >> u32::from(is_better) }
}
