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
const TILE_BYTES: i128 = 16 << 10;
/// The widest access of a thread.
const WIDEST: i128 = 16;
/// Threads of a block.
pub const THREADS: i128 = 256;

/// An axis: how many steps, and how far one goes in either layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    pub extent: i128,
    pub from: i128,
    pub to: i128,
    /// How many of it a block takes.
    pub tile: i128,
}

/// A plan.
#[derive(Clone, Debug)]
pub struct Plan {
    pub axes: Vec<Axis>,
    /// Elements that move as one.
    pub widened: i128,
    /// Bytes of such an element.
    pub bytes: i128,
    /// The axes of a tile, the fastest first, in FROM and in TO.
    pub by_from: Vec<usize>,
    pub by_to: Vec<usize>,
    /// Elements that a thread moves at once, on either side.
    pub vector_from: i128,
    pub vector_to: i128,
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
            Step::Sum(stride) => Some((leaf.extent.as_number()?, stride.as_number().filter(|stride| *stride >= 0)?)),
            Step::Xor(_) => None,
        };
        let moving = layout.leaves().filter(|leaf| leaf.extent.as_number() != Some(1));
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
        axes.push(Axis { extent, from: a.1, to: b.1, tile: 1 });
        for (stack, (whole, stride)) in [(&mut left, a), (&mut right, b)] {
            if whole > extent {
                stack.push((whole / extent, stride * extent));
            }
        }
    }
    Some(merged(axes))
}

/// Axes of which one continues another in both layouts as one.
fn merged(mut axes: Vec<Axis>) -> Vec<Axis> {
    let next = |axes: &[Axis]| {
        let pairs = (0..axes.len()).flat_map(|a| (0..axes.len()).map(move |b| (a, b)));
        pairs.into_iter().find(|&(a, b)| {
            let (first, second) = (axes[a], axes[b]);
            a != b && second.from == first.from * first.extent && second.to == first.to * first.extent
        })
    };
    while let Some((a, b)) = next(&axes) {
        axes[a].extent *= axes[b].extent;
        axes.remove(b);
    }
    axes
}

impl Plan {
    /// The plan of a copy of elements of so many bytes, which take at least `least` in shared memory; with a
    /// least one, rows that begin anywhere are moved element by element.
    pub fn new(mut axes: Vec<Axis>, bytes: i128, least: Option<i128>) -> Plan {
        let widened = widen(&mut axes, bytes);
        let bytes = bytes * widened;
        let order = |stride: &dyn Fn(&Axis) -> i128| {
            let mut order: Vec<usize> = (0..axes.len()).collect();
            // What does not move comes last; of equal strides the longest first.
            order.sort_by_key(|&k| (stride(&axes[k]) == 0, stride(&axes[k]), -axes[k].extent));
            order
        };
        let (by_from, by_to) = (order(&|axis| axis.from), order(&|axis| axis.to));
        let direct = match (by_from.first(), by_to.first()) {
            (Some(a), Some(b)) => a == b && axes[*a].extent * bytes >= 64,
            _ => true,
        };
        let mut plan = Plan {
            axes,
            widened,
            bytes,
            by_from,
            by_to,
            vector_from: 1,
            vector_to: 1,
            shared: !direct,
            slanted: false,
        };
        if plan.shared {
            plan.tile(plan.bytes.max(least.unwrap_or(1)), least.is_none());
        }
        plan
    }

    /// Chooses the tile.
    fn tile(&mut self, each: i128, may_slant: bool) {
        let side = side_of(TILE_BYTES / each);
        let sides = [(self.by_from.clone(), side), (self.by_to.clone(), TILE_BYTES / each / side)];
        for (at, (order, mut need)) in sides.into_iter().enumerate() {
            let stride = |axis: &Axis| if at == 0 { axis.from } else { axis.to };
            let mut run = order.first().map_or(1, |&k| stride(&self.axes[k]));
            for &k in &order {
                let axis = &mut self.axes[k];
                // A run ends where the next stride is not its length.
                let step = if at == 0 { axis.from } else { axis.to };
                if need <= 1 || step != run {
                    break;
                }
                // A little more than is needed is better than a rest.
                let tile = if 2 * axis.extent <= 3 * need { axis.extent } else { whole_part(axis.extent, need) };
                axis.tile = axis.tile.max(tile);
                // What is missing, to the nearest.
                need = (2 * need + axis.tile) / (2 * axis.tile);
                run = step * axis.extent;
            }
        }
        while self.size() * each > 2 * TILE_BYTES {
            let largest = (0..self.axes.len()).max_by_key(|&k| self.axes[k].tile).unwrap_or(0);
            self.axes[largest].tile = (self.axes[largest].tile + 1) / 2;
        }
        // Where either side is short, a longer run of the other makes a tile that is worth a block.
        for k in self.by_from.iter().take(1).chain(&self.by_to).chain(&self.by_from).copied().collect::<Vec<_>>() {
            while self.axes[k].tile < self.axes[k].extent && self.size() * each * 2 <= TILE_BYTES {
                self.axes[k].tile = (self.axes[k].tile * 2).min(self.axes[k].extent);
            }
        }
        let vector = |first: Option<&usize>, stride: &dyn Fn(&Axis) -> i128| {
            let Some(&first) = first else { return 1 };
            let fits = |width: &i128| {
                let whole = |(k, axis): (usize, &Axis)| {
                    if k == first {
                        axis.extent % width == 0 && axis.tile % width == 0
                    } else {
                        stride(axis) % width == 0
                    }
                };
                stride(&self.axes[first]) == 1 && self.axes.iter().enumerate().all(whole)
            };
            widths(self.bytes).into_iter().rev().find(fits).unwrap_or(1)
        };
        let vectors = (vector(self.by_from.first(), &|axis| axis.from), vector(self.by_to.first(), &|axis| axis.to));
        (self.vector_from, self.vector_to) = vectors;
        if may_slant {
            self.slant();
        }
        let tiled = |order: &[usize]| order.iter().copied().filter(|&k| self.axes[k].tile > 1).collect::<Vec<_>>();
        (self.by_from, self.by_to) = (tiled(&self.by_from), tiled(&self.by_to));
    }

    /// Where vectors would be narrow, because rows begin anywhere: a plane of long rows on both sides, if there is one.
    fn slant(&mut self) {
        let (Some(&s), Some(&d)) = (self.by_from.first(), self.by_to.first()) else { return };
        let (a, b) = (self.axes[s], self.axes[d]);
        let is_narrow = self.vector_from.min(self.vector_to) * self.bytes < WIDEST;
        let is_long = |axis: Axis| axis.tile * self.bytes >= 64;
        let is_plane = s != d && a.from == 1 && b.to == 1 && b.from >= a.extent;
        self.slanted = is_plane && is_narrow && is_long(a) && is_long(b);
        if self.slanted {
            // The tile along a row of the target is of whole sectors.
            let sector = 2 * WIDEST / self.bytes;
            self.axes[d].tile = (self.axes[d].tile + sector - 1) / sector * sector;
            (0..self.axes.len()).filter(|k| ![s, d].contains(k)).for_each(|k| self.axes[k].tile = 1);
        }
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

/// Makes elements wider by what is a run of both layouts, and divides the strides. Returns how many are one.
fn widen(axes: &mut Vec<Axis>, bytes: i128) -> i128 {
    let Some(first) = (0..axes.len()).find(|&k| axes[k].from == 1 && axes[k].to == 1) else { return 1 };
    let fits = |width: &i128| {
        let whole = |(k, axis): (usize, &Axis)| {
            if k == first { axis.extent % width == 0 } else { axis.from % width == 0 && axis.to % width == 0 }
        };
        axes.iter().enumerate().all(whole)
    };
    let width = widths(bytes).into_iter().rev().find(fits).unwrap_or(1);
    for (k, axis) in axes.iter_mut().enumerate() {
        if k == first {
            axis.extent /= width;
        } else {
            (axis.from, axis.to) = (axis.from / width, axis.to / width);
        }
    }
    axes.retain(|axis| axis.extent != 1);
    width
}

/// How many elements of so many bytes are one access.
fn widths(bytes: i128) -> Vec<i128> {
    std::iter::successors(Some(1), |width| Some(width * 2)).take_while(|width| width * bytes <= WIDEST).collect()
}

/// A part of about `need` of an extent: one that divides it if that is near, for a short axis.
fn whole_part(extent: i128, need: i128) -> i128 {
    let divides = |part: &i128| extent % part == 0 && 3 * part >= 2 * need && 2 * part <= 3 * need;
    let near = (1..=extent.min(64)).filter(divides).min_by_key(|part| ((part - need).abs(), -part));
    if need < 16 { near.unwrap_or(need) } else { need }
}

/// The least power of two whose square is no less.
fn side_of(size: i128) -> i128 {
    let mut side = 1;
    while side * side < size {
        side *= 2;
    }
    side
}
