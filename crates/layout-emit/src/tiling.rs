//! A kernel before it is written: what each block, thread and round takes, and where that lies in shared memory.
//!
//! Each side of a tile is a phase: items of a vector each, the fastest axis of its layout first, dealt to threads in
//! rounds. Where all extents of a tile are powers of two, shared memory has the layout that `best_shared_layout` proves to
//! have the fewest bank conflicts; else the padding with the fewest, by a count of all of them.

use layout_algebra::DynStride;
use layout_algebra::prelude::*;

use crate::error::EmitError;
use crate::expr::{Graph, Node};
use crate::function::{Function, Results, Word, narrowest};
use crate::offset::offset;
use crate::plan::{Axis, Plan, THREADS, axes};
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
    /// Where the pieces of a vector lie in shared memory, from its first one on: by XOR or by sum.
    pub places: Vec<i128>,
    pub by_xor: bool,
    /// Of `t` and `k`, or of `v`: the offset in memory, the place in shared memory, and the coordinates of ragged axes.
    pub function: Function,
}

/// A kernel before it is written.
pub struct Kernel {
    pub plan: Plan,
    pub comment: Vec<String>,
    pub blocks: i128,
    /// Of `block`: the offsets in both memories, and what is left of ragged axes.
    pub start: Function,
    pub ragged: Vec<usize>,
    pub phases: Option<[Phase; 2]>,
    /// Elements of shared memory.
    pub shared: i128,
    /// Without a tile: of `i`, both offsets.
    pub direct: Function,
    /// Without a tile, and `i` is the offset in the target: a thread writes neighbours at once.
    pub ordered: bool,
}

impl Kernel {
    /// The kernel of elements of so many bytes, which take at least `least` in shared memory: one that is planned, or else
    /// one that gathers element by element.
    pub fn new(from: &NamedLayout, to: &NamedLayout, bytes: i128, least: Option<i128>) -> Result<Kernel, EmitError> {
        if !is_injective(to)? {
            return EmitError::refused(format!("two elements go to one place: {to} gives two coordinates one offset"));
        }
        let plan = axes(from, to).map(|axes| Plan::new(axes, bytes, least));
        let planned = plan.and_then(|plan| Kernel::planned(plan, from, to, bytes, least).transpose());
        planned.unwrap_or_else(|| Kernel::gathered(from, to, bytes))
    }

    /// A thread for each coordinate, by the index functions of both layouts.
    fn gathered(from: &NamedLayout, to: &NamedLayout, bytes: i128) -> Result<Kernel, EmitError> {
        let count: i128 = from.leaves().map(|leaf| leaf.extent.factor).product();
        let [below_from, below_to] = [from, to].map(|layout| layout.reach().map_or(0, |reach| -reach.0));
        let make = |word| {
            let mut maker = Maker::new(word, &[("i", count - 1)]);
            let mut values = Vec::new();
            for (layout, below) in [(from, below_from), (to, below_to)] {
                let offset = maker.layout(&layout.clone().flat())?;
                let below = maker.graph.number(below);
                values.push(maker.graph.add(offset, below));
            }
            Ok(maker.function(values))
        };
        // Threads beyond the last coordinate have numbers too.
        let bits = (count > 1 << 31).then_some(64);
        let direct = narrowest(bits, from, make)?;
        let mut comment = vec![
            format!("to[{to}] = from[{from}], elements of {bytes} bytes."),
            "Elements go one by one, by the index functions of both layouts.".to_string(),
        ];
        for (memory, below) in [("from", below_from), ("to", below_to)] {
            if below > 0 {
                comment.push(format!("Offsets are counted from the least: {memory}[0] has the offset -{below}."));
            }
        }
        let start = Maker::new(Word::NARROW, &[]).function(Vec::new());
        let axes = vec![Axis { extent: count, from: 0, to: 0, tile: 1 }];
        let plan = Plan { axes, ..Plan::new(Vec::new(), bytes, None) };
        Ok(Kernel {
            plan,
            comment,
            blocks: 0,
            start,
            ragged: Vec::new(),
            phases: None,
            shared: 0,
            direct,
            ordered: false,
        })
    }

    /// The kernel of a plan; `None` if its numbers are beyond 32 bits, or if `least` bytes are written at a time and it has
    /// narrower runs in a target with gaps.
    fn planned(
        plan: Plan,
        from: &NamedLayout,
        to: &NamedLayout,
        bytes: i128,
        least: Option<i128>,
    ) -> Result<Option<Kernel>, EmitError> {
        let reach = |stride: &dyn Fn(&Axis) -> i128| -> i128 {
            plan.axes.iter().map(|axis| (axis.extent - 1) * stride(axis)).sum()
        };
        // Elements that are narrower than words: tiles take as many steps as for wide ones. In the order of a target without
        // gaps, a thread makes whole words, which is as fast where elements are read many times.
        let is_narrow = plan.vector_from.min(plan.vector_to) * plan.bytes < least.unwrap_or(1);
        let count = plan.elements();
        let is_repeated = plan.bytes < 4 && 2 * reach(&|axis| axis.from) < count;
        let ordered = (is_narrow || is_repeated) && reach(&|axis| axis.to) == count - 1;
        if is_narrow && !ordered {
            return Ok(None);
        }
        let word = Word::NARROW;
        let most = reach(&|axis| axis.from).max(reach(&|axis| axis.to)).max(plan.elements());
        // Coordinates beyond a ragged edge have offsets too, which are not used.
        if most.saturating_mul(2) > word.limit() {
            return Ok(None);
        }
        let tiles = |axis: &Axis| (axis.extent + axis.tile - 1) / axis.tile;
        // A plane of rows that begin anywhere reads beyond its tile, too.
        let is_ragged =
            |k: &usize| plan.axes[*k].extent % plan.axes[*k].tile != 0 || plan.slanted && *k == plan.by_to[0];
        let ragged: Vec<usize> = (0..plan.axes.len()).filter(is_ragged).collect();
        let mut order: Vec<usize> = (0..plan.axes.len()).collect();
        order.sort_by_key(|&k| (plan.axes[k].to, plan.axes[k].from));
        let blocks = plan.axes.iter().map(tiles).product();
        // The number of the block has a digit for each axis.
        let by_block = |weight: &dyn Fn(usize) -> i128| {
            vec![order.iter().map(|&k| (tiles(&plan.axes[k]), plan.axes[k].tile * weight(k))).collect::<Vec<_>>()]
        };
        let start = {
            let mut maker = Maker::new(word, &[("block", blocks - 1)]);
            let mut values =
                vec![maker.offset(&by_block(&|k| plan.axes[k].from))?, maker.offset(&by_block(&|k| plan.axes[k].to))?];
            for &axis in &ragged {
                let before = maker.offset(&by_block(&|k| i128::from(k == axis)))?;
                let extent = maker.graph.number(plan.axes[axis].extent);
                values.push(maker.graph.sub(extent, before));
            }
            maker.function(values)
        };
        let direct = {
            let mut maker = Maker::new(word, &[("i", plan.elements() - 1)]);
            let by_element = |weight: &dyn Fn(&Axis) -> i128| {
                vec![order.iter().map(|&k| (plan.axes[k].extent, weight(&plan.axes[k]))).collect::<Vec<_>>()]
            };
            let values =
                vec![maker.offset(&by_element(&|axis| axis.from))?, maker.offset(&by_element(&|axis| axis.to))?];
            maker.function(values)
        };
        let (phases, shared, said) = match plan.shared {
            _ if ordered => (None, 0, "in the order of the target, which has no gaps.".into()),
            true if plan.slanted => (None, 0, slanted(&plan)),
            true => {
                let (phases, shared, said) = tiled(&plan, word, &ragged, least.unwrap_or(1))?;
                (Some(phases), shared, said)
            }
            false => (None, 0, "directly: the fastest axis is the same in both.".into()),
        };
        let extents: Vec<_> = plan.axes.iter().map(|a| format!("{}:{}:{}", a.extent, a.from, a.to)).collect();
        let wide = if plan.widened > 1 { format!(", {} as one", plan.widened) } else { String::new() };
        let comment = vec![
            format!("to[{}] = from[{}], elements of {} bytes{wide}.", to, from, bytes),
            format!("Axes, extent:from:to, in elements of {} bytes: {}.", plan.bytes, extents.join(" ")),
            format!("Elements go {said}"),
        ];
        let functions = phases.iter().flatten().map(|phase| &phase.function).chain([&start, &direct]);
        let fits = functions.into_iter().all(Function::fits);
        Ok(fits.then_some(Kernel { plan, comment, blocks, start, ragged, phases, shared, direct, ordered }))
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

/// What there is to say of a plane of rows that begin anywhere.
fn slanted(plan: &Plan) -> String {
    let [s, d] = [plan.by_from[0], plan.by_to[0]].map(|k| plan.axes[k].tile);
    format!(
        "through a tile of {d} x {s} in shared memory, by aligned vectors of 16 bytes on both sides though rows begin \
         anywhere: a row of the tile begins as far from a vector as it does in memory."
    )
}

/// Leaves of extent and stride, those of each argument.
type Leaves = Vec<Vec<(i128, i128)>>;

/// Makes functions of a few arguments.
struct Maker {
    graph: Graph,
    word: Word,
    arguments: Vec<(String, bool)>,
    inputs: Vec<Node>,
}

impl Maker {
    fn new(word: Word, arguments: &[(&str, i128)]) -> Self {
        let mut graph = Graph::default();
        let inputs = arguments.iter().map(|(name, last)| graph.input(name, 0, *last)).collect();
        let arguments = arguments.iter().map(|(name, _)| (name.to_string(), false)).collect();
        Maker { graph, word, arguments, inputs }
    }
    fn layout(&mut self, layout: &NamedLayout) -> Result<Node, EmitError> {
        let mut work = Work { graph: &mut self.graph, names: &[], limit: self.word.limit() };
        Ok(offset(&mut work, &self.inputs, layout)?.0)
    }
    /// The sum of digits times strides.
    fn offset(&mut self, leaves: &Leaves) -> Result<Node, EmitError> {
        let leaf = |&(extent, stride): &(i128, i128)| Leaf {
            extent: Product::number(extent),
            step: Step::Sum(Product::number(stride)),
        };
        let modes = leaves.iter().map(|mode| mode.iter().map(leaf).collect()).collect();
        self.layout(&NamedLayout::of_modes(modes))
    }
    fn function(self, values: Vec<Node>) -> Function {
        Function {
            name: String::new(),
            comment: Vec::new(),
            graph: self.graph,
            word: self.word,
            inputs: self.arguments,
            results: Results {
                values: values.into_iter().map(|node| (String::new(), node)).collect(),
                signed: false,
                inside: None,
            },
        }
    }
}

/// A digit of an item: how many, of which axis, and how far one goes in it.
type Part = (i128, usize, i128);

/// The digits of the items of one side: vectors along its first axis, then all axes of the tile.
fn parts(plan: &Plan, order: &[usize], vector: i128) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for &k in order {
        let step = if parts.is_empty() { vector } else { 1 };
        parts.push((plan.axes[k].tile / step, k, step));
    }
    parts
}

/// Splits digits at `at` items: those of a thread's number, and those of the round. All are powers of two.
fn split(parts: &[Part], at: i128) -> [Vec<Part>; 2] {
    let (mut low, mut high, mut left) = (Vec::new(), Vec::new(), at);
    for &(extent, axis, step) in parts {
        let own = extent.min(left);
        low.push((own, axis, step));
        high.push((extent / own, axis, step * own));
        left /= own;
    }
    [low, high]
}

/// Both sides of a tile, the elements of shared memory, and what there is to say of them.
fn tiled(plan: &Plan, word: Word, ragged: &[usize], least: i128) -> Result<([Phase; 2], i128, String), EmitError> {
    let size = plan.size();
    let each = plan.bytes.max(least);
    let first = |order: &[usize]| order.first().copied().unwrap_or(0);
    let sides =
        [(&plan.by_from, plan.vector_from, first(&plan.by_from)), (&plan.by_to, plan.vector_to, first(&plan.by_to))];
    let extents: Vec<_> = plan.axes.iter().filter(|axis| axis.tile > 1).map(|axis| axis.tile.to_string()).collect();
    let tile = format!("through a tile of {}", extents.join(" x "));
    // The number of an element in the tile: the axes in the order of FROM.
    let mut number = vec![0; plan.axes.len()];
    let mut next = 1;
    for (extent, axis, _) in parts(plan, &plan.by_from, 1) {
        number[axis] = next;
        next *= extent;
    }
    let weights = |phase: &dyn Fn(&Axis) -> i128| plan.axes.iter().map(phase).collect::<Vec<_>>();
    let memory = [weights(&|axis| axis.from), weights(&|axis| axis.to)];
    let is_bits = plan.axes.iter().all(|axis| axis.tile & (axis.tile - 1) == 0);
    let enough = sides.iter().all(|(_, vector, _)| size / vector >= THREADS);
    let dealt = |side: usize| split(&parts(plan, sides[side].0, sides[side].1), THREADS);
    let (shared, elements, said) = if is_bits && enough {
        let of_threads = |side: usize| -> Result<FlatLayout, EmitError> {
            let [low, high] = dealt(side);
            let leaf = |&(extent, axis, step): &Part| (extent as usize, (step * number[axis]) as usize);
            let (extents, strides): (Vec<_>, Vec<_>) = low.iter().chain(&high).map(leaf).unzip();
            let (_, vector, axis) = sides[side];
            let shape = DynShape::tuple([
                DynShape::tuple(extents.into_iter().map(DynShape::from))?,
                DynShape::from(vector as usize),
            ])?;
            let stride = DynShape::tuple([
                DynShape::tuple(strides.into_iter().map(DynShape::from))?,
                DynShape::from(number[axis] as usize),
            ])?;
            Ok(FlatLayout::of(&DynLayout::new(shape, stride)?))
        };
        let (writes, reads) = (of_threads(0)?, of_threads(1)?);
        let best = writes.best_shared_layout(&reads, 8 * each as usize);
        let said = format!(
            "{tile} in shared memory, laid out {best}: {} bits written and {} read at once, {} bank conflicts in \
             {} accesses; no linear layout has fewer conflicts in as few accesses.",
            best.write_bits,
            best.read_bits,
            best.conflicts(),
            best.accesses
        );
        (Shared::Bits(best.basis().iter().map(|&vector| vector as u64).collect()), size, said)
    } else {
        let padded = padded(plan, each, &sides.map(|(order, vector, axis)| (&order[..], vector, axis)));
        let moving = (0..plan.axes.len()).filter(|&k| plan.axes[k].tile > 1);
        let strides: Vec<_> = moving.map(|k| padded.strides[k].to_string()).collect();
        let said = format!(
            "{tile} in shared memory with the strides {}: {} passes, where {} are the least.",
            strides.join(", "),
            padded.passes,
            padded.least
        );
        (Shared::Strides(padded.strides, padded.pieces), padded.size, said)
    };
    let phase = |side: usize| -> Result<Phase, EmitError> {
        let (order, vector, axis) = sides[side];
        let items = size / vector;
        let rounds = (items + THREADS - 1) / THREADS;
        let by_xor = matches!(shared, Shared::Bits(_));
        let (mut maker, digits) = match by_xor {
            true => (Maker::new(word, &[("t", THREADS - 1), ("k", rounds - 1)]), dealt(side).to_vec()),
            false => (Maker::new(word, &[("v", items - 1)]), vec![parts(plan, order, vector)]),
        };
        let of = |weight: &[i128]| -> Leaves {
            let leaf = |&(extent, axis, step): &Part| (extent, step * weight[axis]);
            digits.iter().map(|digits| digits.iter().map(leaf).collect()).collect()
        };
        let global = maker.offset(&of(&memory[side]))?;
        let (place, piece, places) = match &shared {
            Shared::Strides(strides, pieces) => {
                let piece = pieces[side];
                let places = (0..vector / piece).map(|k| k * piece * strides[axis]).collect();
                (maker.offset(&of(strides))?, piece, places)
            }
            Shared::Bits(basis) => {
                // Each bit of an element's number goes where the basis says.
                let bits = |parts: &Vec<Part>| -> Vec<Leaf> {
                    let each = |&(extent, axis, step): &Part| {
                        let from = (step * number[axis]).trailing_zeros();
                        (0..extent.trailing_zeros()).map(move |bit| (from + bit) as usize)
                    };
                    let leaf = |bit: usize| Leaf { extent: Product::number(2), step: Step::Xor(basis[bit]) };
                    parts.iter().flat_map(each).map(leaf).collect()
                };
                let place = maker.layout(&NamedLayout::of_modes(digits.iter().map(bits).collect()))?;
                let of_bit = number[axis].trailing_zeros() as usize;
                let place_of = |element: i128| {
                    let set = (0..10).filter(|bit| element >> bit & 1 == 1);
                    set.fold(0, |place, bit| place ^ basis[of_bit + bit] as i128)
                };
                // How many neighbours of a vector are neighbours in shared memory, from a multiple of their number on.
                let is_run = |piece: &i128| {
                    let own = of_bit..of_bit + piece.trailing_zeros() as usize;
                    let fits = |(bit, &vector): (usize, &u64)| match own.contains(&bit) {
                        true => vector == 1 << (bit - of_bit),
                        false => vector & (*piece as u64 - 1) == 0,
                    };
                    basis.iter().enumerate().all(fits)
                };
                let pieces = (0..5).map(|bits| 1 << bits).filter(|piece| *piece <= vector);
                let piece = pieces.rev().find(is_run).unwrap_or(1);
                (place, piece, (0..vector / piece).map(|k| place_of(k * piece)).collect())
            }
        };
        let mut values = vec![global, place];
        for &axis in ragged {
            let only: Vec<i128> = (0..plan.axes.len()).map(|k| i128::from(k == axis)).collect();
            values.push(maker.offset(&of(&only))?);
        }
        Ok(Phase { items, rounds, vector, piece, places, by_xor, function: maker.function(values) })
    };
    Ok(([phase(0)?, phase(1)?], elements, said))
}

/// Where elements of a tile lie in shared memory: a vector for each bit of an element's number, or a stride for each axis
/// and how many are neighbours on either side.
enum Shared {
    Bits(Vec<u64>),
    Strides(Vec<i128>, [i128; 2]),
}

/// Strides of shared memory, of which one is padded.
struct Padded {
    strides: Vec<i128>,
    size: i128,
    pieces: [i128; 2],
    passes: usize,
    least: usize,
}

/// The padding with the fewest passes of both sides, counted for all warps.
fn padded(plan: &Plan, each: i128, sides: &[(&[usize], i128, usize); 2]) -> Padded {
    let most = (40 << 10) / each;
    let mut best: Option<Padded> = None;
    let turning = sides[1].2;
    for pad in 0..=32 {
        let (mut strides, mut next) = (vec![0; plan.axes.len()], 1);
        for (extent, axis, _) in parts(plan, sides[0].0, 1) {
            next += if axis == turning { pad } else { 0 };
            strides[axis] = next;
            next *= extent;
        }
        if next > most.max(plan.size()) {
            break;
        }
        let is_run = |side: usize, piece: i128| {
            let (_, vector, first) = sides[side];
            let others = (0..plan.axes.len()).filter(|&k| k != first && plan.axes[k].tile > 1);
            vector % piece == 0 && strides[first] == 1 && others.into_iter().all(|k| strides[k] % piece == 0)
        };
        let pieces = [0, 1].map(|side| {
            let vector = sides[side].1;
            (0..5).map(|bits| 1 << bits).filter(|piece| *piece <= vector && is_run(side, *piece)).max().unwrap_or(1)
        });
        let (mut passes, mut least) = (0, 0);
        for (side, &(order, vector, first)) in sides.iter().enumerate() {
            let parts = parts(plan, order, vector);
            let items = plan.size() / vector;
            let place = |mut item: i128| {
                parts.iter().fold(0, |place, &(extent, axis, step)| {
                    let digit = item % extent;
                    item /= extent;
                    place + digit * step * strides[axis]
                })
            };
            let width = pieces[side] * each;
            let together = (128 / width.max(4)).min(32);
            for piece in (0..vector / pieces[side]).map(|k| k * pieces[side] * strides[first]) {
                for from in (0..items).step_by(together as usize) {
                    let mut words: Vec<i128> = (from..items.min(from + together))
                        .flat_map(|item| {
                            let byte = (place(item) + piece) * each;
                            (byte / 4..(byte + width + 3) / 4).collect::<Vec<_>>()
                        })
                        .collect();
                    words.sort_unstable();
                    words.dedup();
                    let mut banks = [0; 32];
                    words.iter().for_each(|word| banks[(word % 32) as usize] += 1);
                    passes += banks.into_iter().max().unwrap_or(0);
                    least += 1;
                }
            }
        }
        if best.as_ref().is_none_or(|best| passes < best.passes) {
            best = Some(Padded { strides, size: next, pieces, passes, least });
        }
        if passes == least {
            break;
        }
    }
    best.unwrap_or(Padded { strides: vec![1; plan.axes.len()], size: 1, pieces: [1, 1], passes: 0, least: 0 })
}
