//! A kernel before it is written: what each block, thread and round takes, and where that lies in shared memory.
//!
//! Each side of a tile is a phase: items of a vector each, the fastest axis of its layout first, dealt to threads in
//! rounds. Where all extents of a tile are powers of two, shared memory has the layout that `best_shared_layout` proves to
//! have the fewest bank conflicts; else the padding with the fewest, by a count of all of them.
//!
//! ```text
//! element(item)  the number in the tile of the first element of an item, a layout
//! memory o element, shared o element, coordinate o element        what a phase computes
//! ```

use layout_algebra::DynStride;
use layout_algebra::prelude::*;

use crate::error::EmitError;
use crate::expr::Graph;
use crate::function::{Function, Results, Word, narrowest};
use crate::offset::offset;
use crate::plan::{Axis, Plan, SIDES, THREADS, axes};
use crate::source::{Leaf, NamedLayout, Product, Step};
use crate::sum::Work;

/// One side of a tile.
pub struct Phase {
    /// Vectors of the tile, and rounds in which all threads take one.
    pub items: i128,
    pub rounds: i128,
    /// Elements of a vector, and those that are neighbours in shared memory.
    pub vector: i128,
    pub piece: i128,
    /// Where the pieces of a vector lie in shared memory, from its first one on.
    pub places: Vec<usize>,
    /// Of `t` and `k`, or of `v`: the offset in memory, the place in shared memory, and the coordinates of ragged axes.
    pub function: Function,
}

/// A tile in shared memory.
pub struct Tile {
    pub plan: Plan,
    pub blocks: i128,
    /// Of `block`: the offsets in both memories, and what is left of ragged axes.
    pub start: Function,
    pub ragged: Vec<usize>,
    /// Unless the plan is slanted.
    pub phases: Option<[Phase; 2]>,
    /// Elements of shared memory, and whether places in it are by XOR or by sum.
    pub size: usize,
    pub by_xor: bool,
}

/// A kernel before it is written.
pub struct Kernel {
    pub comment: Vec<String>,
    /// Elements that move as one, and their bytes.
    pub elements: i128,
    pub bytes: i128,
    pub tile: Option<Tile>,
    /// Without a tile: of `i`, both offsets.
    pub direct: Function,
    /// Without a tile, and `i` is the offset in the target: a thread writes neighbours at once.
    pub ordered: bool,
}

impl Kernel {
    /// The kernel of elements of so many bytes, which take at least `least` in shared memory: through a tile, or without
    /// one if there is no plan, its numbers are beyond 32 bits, or its vectors are narrower than `least` bytes.
    pub fn new(from: &NamedLayout, to: &NamedLayout, bytes: i128, least: Option<i128>) -> Result<Kernel, EmitError> {
        if !is_injective(to)? {
            return EmitError::refused(format!("two elements go to one place: {to} gives two coordinates one offset"));
        }
        let plan = axes(from, to).map(|axes| Plan::new(axes, bytes, least));
        let elements = plan.as_ref().map_or(from.clone().flat().extent(0).factor, Plan::elements);
        // Offsets are counted from the least.
        let below = [from, to].map(|layout| layout.reach().map_or(0, |reach| -reach.0));
        let values = SIDES.map(|side| {
            let layout = match &plan {
                Some(plan) => plan.digits(|axis| (axis.extent, axis.step[side])),
                None => [from, to][side].clone().flat(),
            };
            (below[side], false, layout)
        });
        // Threads beyond the last coordinate have numbers too.
        let bits = (elements > 1 << 31).then_some(64);
        let direct = narrowest(bits, from, |word| function(word, &[("i", elements - 1)], &values))?;
        let wide = plan.as_ref().filter(|plan| plan.widened > 1);
        let wide = wide.map_or(String::new(), |plan| format!(", {} as one", plan.widened));
        let mut comment = vec![format!("to[{to}] = from[{from}], elements of {bytes} bytes{wide}.")];
        let mut kernel = Kernel { comment: Vec::new(), elements, bytes, tile: None, direct, ordered: false };
        let mut said = "one by one, by the index functions of both layouts.".to_string();
        for (memory, below) in ["from", "to"].into_iter().zip(below).filter(|(_, below)| *below > 0) {
            comment.push(format!("Offsets are counted from the least: {memory}[0] has the offset -{below}."));
        }
        if let Some(plan) = plan {
            kernel.bytes = plan.bytes;
            let extents: Vec<_> =
                plan.axes.iter().map(|a| format!("{}:{}:{}", a.extent, a.step[0], a.step[1])).collect();
            comment.push(format!("Axes, extent:from:to, in elements of {} bytes: {}.", plan.bytes, extents.join(" ")));
            let reach =
                SIDES.map(|side| plan.axes.iter().map(|axis| (axis.extent - 1) * axis.step[side]).sum::<i128>());
            // Coordinates beyond a ragged edge have offsets too, which are not used.
            let is_within = reach[0].max(reach[1]).max(elements).saturating_mul(2) <= Word::NARROW.limit();
            // Elements that are narrower than words: tiles take as many steps as for wide ones. In the order of a target
            // without gaps, a thread makes whole words, which is as fast where elements are read many times.
            let each = least.unwrap_or(1);
            let is_narrow = plan.vectors[0].min(plan.vectors[1]) * plan.bytes < each;
            let is_repeated = plan.bytes < 4 && 2 * reach[0] < elements;
            kernel.ordered = is_within && (is_narrow || is_repeated) && reach[1] == elements - 1;
            if kernel.ordered {
                said = "in the order of the target, which has no gaps.".into();
            } else if !plan.shared {
                said = "directly: the fastest axis is the same in both.".into();
            } else if is_within && !is_narrow {
                let (tile, how) = Tile::new(plan, each)?;
                if tile.functions().all(Function::fits) {
                    (kernel.tile, said) = (Some(tile), how);
                }
            }
        }
        comment.push(format!("Elements go {said}"));
        kernel.comment = comment;
        Ok(kernel)
    }
}

/// Whether no two coordinates share an offset; a swizzle moves no two offsets to one.
fn is_injective(layout: &NamedLayout) -> Result<bool, EmitError> {
    let extents = layout.leaves().map(|leaf| DynShape::from(leaf.extent.factor as usize));
    let stride = |leaf: &Leaf| match &leaf.step {
        Step::Sum(Product { factor, .. }) if *factor < 0 => DynStride::Negative(factor.unsigned_abs() as usize),
        Step::Sum(Product { factor, .. }) => DynStride::Natural(*factor as usize),
        Step::Xor(number) => DynStride::Xor(*number as usize),
    };
    let strides: Vec<_> = layout.leaves().map(stride).collect();
    Ok(DynLayout::with_strides(&DynShape::tuple(extents)?, strides)?.is_injective())
}

/// What a function gives: a number, and the offset of a layout, which is added to it or taken from it.
type Value = (i128, bool, NamedLayout);

/// A function of arguments up to these numbers.
fn function(word: Word, arguments: &[(&str, i128)], values: &[Value]) -> Result<Function, EmitError> {
    let mut graph = Graph::default();
    let inputs: Vec<_> = arguments.iter().map(|(name, last)| graph.input(name, 0, *last)).collect();
    let mut results = Results { values: Vec::new(), signed: false, inside: None };
    for (number, is_less, layout) in values {
        let mut work = Work { graph: &mut graph, names: &[], limit: word.limit() };
        let offset = offset(&mut work, &inputs, layout)?.0;
        let number = graph.number(*number);
        let value = if *is_less { graph.sub(number, offset) } else { graph.add(offset, number) };
        results.values.push((String::new(), value));
    }
    let inputs = arguments.iter().map(|(name, _)| (name.to_string(), false)).collect();
    Ok(Function { name: String::new(), comment: Vec::new(), graph, word, inputs, results })
}

/// Leaves of extent and stride as a layout of so many modes.
fn layout(leaves: &[(i128, i128)]) -> Result<DynLayout, EmitError> {
    let tuple = |part: &dyn Fn(&(i128, i128)) -> i128| {
        DynShape::tuple(leaves.iter().map(|leaf| DynShape::from(part(leaf) as usize)))
    };
    Ok(DynLayout::new(tuple(&|leaf| leaf.0)?, tuple(&|leaf| leaf.1)?)?)
}

impl Plan {
    /// A leaf for each axis, in the order of the target.
    fn digits(&self, leaf: impl Fn(&Axis) -> (i128, i128)) -> NamedLayout {
        let mut axes: Vec<&Axis> = self.axes.iter().collect();
        axes.sort_by_key(|axis| (axis.step[1], axis.step[0]));
        let leaf = |axis: &Axis| {
            let (extent, stride) = leaf(axis);
            Leaf { extent: Product::number(extent), step: Step::Sum(Product::number(stride)) }
        };
        NamedLayout::of_modes(vec![axes.into_iter().map(leaf).collect()])
    }

    /// The axes of a tile: those of a run are one group, the fastest of FROM first.
    fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let runs = SIDES.map(|side| self.order[side][..self.runs[side]].to_vec());
        for group in runs.into_iter().chain(self.order[0].iter().map(|&k| vec![k])) {
            if !groups.concat().contains(&group[0]) && self.axes[group[0]].tile > 1 {
                groups.push(group);
            }
        }
        groups.sort_by_key(|group| self.order[0].iter().position(|k| *k == group[0]));
        groups
    }
}

impl Tile {
    /// The tile of a plan whose elements take at least `least` bytes in shared memory, and what there is to say of it.
    fn new(plan: Plan, least: i128) -> Result<(Tile, String), EmitError> {
        let tiles = |axis: &Axis| (axis.extent + axis.tile - 1) / axis.tile;
        // A plane of rows that begin anywhere reads beyond its tile, too.
        let is_ragged =
            |k: &usize| plan.axes[*k].extent % plan.axes[*k].tile != 0 || plan.slanted && *k == plan.order[1][0];
        let ragged: Vec<usize> = (0..plan.axes.len()).filter(is_ragged).collect();
        let blocks = plan.axes.iter().map(tiles).product();
        let mut values =
            SIDES.map(|side| (0, false, plan.digits(|axis| (tiles(axis), axis.tile * axis.step[side])))).to_vec();
        for &k in &ragged {
            let only = |axis: &Axis| (tiles(axis), axis.tile * i128::from(*axis == plan.axes[k]));
            values.push((plan.axes[k].extent, true, plan.digits(only)));
        }
        let start = function(Word::NARROW, &[("block", blocks - 1)], &values)?;
        let mut tile = Tile { plan, blocks, start, ragged, phases: None, size: 0, by_xor: false };
        let said = if tile.plan.slanted { tile.plane() } else { tile.deal(least)? };
        Ok((tile, said))
    }

    fn functions(&self) -> impl Iterator<Item = &Function> {
        self.phases.iter().flatten().map(|phase| &phase.function).chain([&self.start])
    }

    /// What there is to say of a plane of rows that begin anywhere.
    fn plane(&self) -> String {
        let [s, d] = SIDES.map(|side| self.plan.axes[self.plan.order[side][0]].tile);
        format!(
            "through a tile of {d} x {s} in shared memory, by aligned vectors of 16 bytes on both sides though rows begin \
             anywhere: a row of the tile begins as far from a vector as it does in memory."
        )
    }

    /// Deals the items of both sides to threads, and finds the layout of shared memory.
    fn deal(&mut self, least: i128) -> Result<String, EmitError> {
        let plan = &self.plan;
        let (size, each) = (plan.size(), plan.bytes.max(least));
        let groups = plan.groups();
        let canon = groups.concat();
        let extent = |group: &[usize]| group.iter().map(|&k| plan.axes[k].tile).product::<i128>();
        // How far a step along an axis goes in the number of an element.
        let unit = |k: usize| {
            let before = canon.iter().take_while(|&&other| other != k);
            before.map(|&k| plan.axes[k].tile).product::<i128>()
        };
        let units = SIDES.map(|side| unit(plan.order[side][0]));
        // The elements of items: vectors along the first axis, then all axes of the tile.
        let items = SIDES.map(|side| {
            let mut groups = groups.clone();
            groups.sort_by_key(|group| plan.order[side].iter().position(|k| *k == group[0]));
            let leaf = |group: &Vec<usize>| {
                let step = if group[0] == plan.order[side][0] { plan.vectors[side] } else { 1 };
                (extent(group) / step, step * unit(group[0]))
            };
            groups.iter().map(leaf).collect::<Vec<_>>()
        });
        let is_bits = canon.iter().all(|&k| plan.axes[k].tile & (plan.axes[k].tile - 1) == 0);
        self.by_xor = is_bits && plan.vectors.iter().all(|vector| size / vector >= THREADS);
        let extents: Vec<_> = plan.axes.iter().filter(|axis| axis.tile > 1).map(|axis| axis.tile.to_string()).collect();
        let mut said = format!("through a tile of {} in shared memory", extents.join(" x "));
        let (elements, shared) = if self.by_xor {
            // Those of the number of a thread, and those of the round.
            let elements = [dealt(&items[0])?, dealt(&items[1])?];
            let of_threads = |side: usize| -> Result<FlatLayout, EmitError> {
                let vector = layout(&[(plan.vectors[side], units[side])])?;
                Ok(FlatLayout::of(&DynLayout::tuple(&[elements[side].clone(), vector])?))
            };
            let best = of_threads(0)?.best_shared_layout(&of_threads(1)?, 8 * each as usize);
            said += &format!(
                ", laid out {best}: {} bits written and {} read at once, {} bank conflicts in {} accesses; no linear \
                 layout has fewer conflicts in as few accesses.",
                best.write_bits,
                best.read_bits,
                best.conflicts(),
                best.accesses
            );
            let bits = DynShape::tuple(best.basis().iter().map(|_| DynShape::from(2)))?;
            let strides = best.basis().iter().map(|&vector| DynStride::Xor(vector)).collect::<Vec<_>>();
            (elements, DynLayout::with_strides(&bits, strides)?)
        } else {
            let elements = [layout(&items[0])?, layout(&items[1])?];
            let groups: Vec<_> =
                groups.iter().map(|group| (extent(group), group.contains(&plan.order[1][0]))).collect();
            let sides = SIDES.map(|side| Side::of(&elements[side], plan.vectors[side], units[side]));
            let (shared, passes, least) = padded(&groups, each, &sides)?;
            said += &format!(", laid out {shared}: {passes} passes, where {least} are the least.");
            (elements, shared)
        };
        let of_axes = |step: &dyn Fn(usize) -> i128| -> Result<DynLayout, EmitError> {
            layout(&canon.iter().map(|&k| (plan.axes[k].tile, step(k))).collect::<Vec<_>>())
        };
        let places: Vec<usize> = (0..shared.size()).map(|x| shared.at(x)).collect();
        let phase = |side: usize| -> Result<Phase, EmitError> {
            let (vector, unit) = (plan.vectors[side], units[side] as usize);
            let items = size / vector;
            let rounds = (items + THREADS - 1) / THREADS;
            let mut layouts = vec![of_axes(&|k| plan.axes[k].step[side])?, shared.clone()];
            for &axis in &self.ragged {
                layouts.push(of_axes(&|k| i128::from(k == axis))?);
            }
            let value = |layout: &DynLayout| -> Result<Value, EmitError> {
                let named = NamedLayout::from(&layout.compose(&elements[side])?);
                Ok((0, false, if self.by_xor { named } else { named.flat() }))
            };
            let values = layouts.iter().map(value).collect::<Result<Vec<_>, _>>()?;
            let arguments: &[_] =
                if self.by_xor { &[("t", THREADS - 1), ("k", rounds - 1)] } else { &[("v", items - 1)] };
            let function = function(Word::NARROW, arguments, &values)?;
            let piece = Side::of(&elements[side], vector, units[side]).piece(&places);
            let places = (0..vector / piece).map(|k| places[(k * piece) as usize * unit]).collect();
            Ok(Phase { items, rounds, vector, piece, places, function })
        };
        self.phases = Some([phase(0)?, phase(1)?]);
        self.size = shared.cosize();
        Ok(said)
    }
}

/// Splits items among threads: a mode for the number of a thread, and one for the round. All are powers of two.
fn dealt(items: &[(i128, i128)]) -> Result<DynLayout, EmitError> {
    let (mut low, mut high, mut left) = (Vec::new(), Vec::new(), THREADS);
    for &(extent, stride) in items {
        let own = extent.min(left);
        low.push((own, stride));
        high.push((extent / own, stride * own));
        left /= own;
    }
    Ok(DynLayout::tuple(&[layout(&low)?, layout(&high)?])?)
}

/// The first elements of the items of one side, how many elements an item has, and how far these are apart.
struct Side {
    first: Vec<usize>,
    vector: i128,
    unit: usize,
}

impl Side {
    fn of(elements: &DynLayout, vector: i128, unit: i128) -> Side {
        Side { first: (0..elements.size()).map(|item| elements.at(item)).collect(), vector, unit: unit as usize }
    }

    /// How many elements of an item are neighbours in shared memory, from a multiple of their number on.
    fn piece(&self, places: &[usize]) -> i128 {
        let is_run = |piece: &usize| {
            let fits = |first: &usize| {
                (0..self.vector as usize).all(|n| {
                    let place = |n: usize| places[first + n * self.unit];
                    place(n) == place(n - n % piece) + n % piece && place(n - n % piece) % piece == 0
                })
            };
            self.first.iter().all(fits)
        };
        (0..5).map(|bits| 1 << bits).filter(|piece| *piece <= self.vector as usize && is_run(piece)).max().unwrap_or(1)
            as i128
    }

    /// The passes of all warps, and the fewest that there can be.
    fn passes(&self, places: &[usize], each: i128) -> (usize, usize) {
        let piece = self.piece(places);
        let (width, mut passes, mut least) = ((piece * each) as usize, 0, 0);
        for n in (0..self.vector).step_by(piece as usize) {
            for together in self.first.chunks((128 / width.max(4)).min(32)) {
                let byte = |first: &usize| places[first + n as usize * self.unit] * each as usize;
                let mut words: Vec<usize> =
                    together.iter().flat_map(|first| byte(first) / 4..(byte(first) + width).div_ceil(4)).collect();
                words.sort_unstable();
                words.dedup();
                let mut banks = [0; 32];
                words.iter().for_each(|word| banks[word % 32] += 1);
                passes += banks.into_iter().max().unwrap_or(0);
                least += 1;
            }
        }
        (passes, least)
    }
}

/// The layout of shared memory with the padding of the fewest passes of both sides, these and the least: groups of elements
/// one behind the other, more or less far where the target goes on.
fn padded(groups: &[(i128, bool)], each: i128, sides: &[Side; 2]) -> Result<(DynLayout, usize, usize), EmitError> {
    let size: i128 = groups.iter().map(|group| group.0).product();
    let most = (40 << 10) / each;
    let mut best: Option<(DynLayout, usize, usize)> = None;
    for pad in 0..=32 {
        let (mut leaves, mut next) = (Vec::new(), 1);
        for &(extent, is_turning) in groups {
            next += if is_turning { pad } else { 0 };
            leaves.push((extent, next));
            next *= extent;
        }
        if next > most.max(size) {
            break;
        }
        let shared = layout(&leaves)?;
        let places: Vec<usize> = (0..shared.size()).map(|x| shared.at(x)).collect();
        let counts = [0, 1].map(|side: usize| sides[side].passes(&places, each));
        let (passes, least) = (counts[0].0 + counts[1].0, counts[0].1 + counts[1].1);
        if best.as_ref().is_none_or(|best| passes < best.1) {
            best = Some((shared, passes, least));
        }
        if passes == least {
            break;
        }
    }
    best.map_or_else(|| EmitError::refused("there is no tile"), Ok)
}
