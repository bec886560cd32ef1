//! The composition of one distribution with the inverse of another, mode by mode and in pieces.
//!
//! ```text
//! R = to.left_inverse() o from      (shard, local) of the one  ->  (shard, local) of the other
//! ```
//!
//! Where the blocks and the numbers of ranks divide one another, R is one layout. Else the extent
//! is cut where either side begins a new block or a new turn, and on each piece R is one: a piece
//! is a start and some modes, along each of which all four of shard and local index, before and
//! after, take equal steps. Repetitions are not listed again, and pieces of which a rank has
//! nothing are left out: a rank has as many pieces as there are cuts through its blocks in one
//! common period, however many elements and ranks there are.

use alloc::vec;
use alloc::vec::Vec;

use crate::boxes::{BoxCopy, repeated};
use crate::error::{Error, MOST_PIECES, MOST_RANKS};
use crate::placed::{Place, PlacedMode};

/// A shard and a local index on a piece: `start + sum c_j * steps[j]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    shard: usize,
    local: usize,
    shard_steps: Vec<usize>,
    local_steps: Vec<usize>,
}

/// Where the elements of some coordinates, `c_j < extents[j]`, are before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    extents: Vec<usize>,
    from: Side,
    to: Side,
}

/// The elements of a piece that one shard has before, and one has after: local indices on both
/// sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Overlap {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Extent, step before, step after.
    pub(crate) modes: Vec<(usize, usize, usize)>,
}

/// The overlaps with one shard of the other side.
pub(crate) type OverlapsWith = (usize, Vec<Overlap>);

impl Overlap {
    pub(crate) fn size(&self) -> usize {
        self.modes.iter().map(|mode| mode.0).product()
    }
}

/// A start in the global index, and modes (extent, stride) each of which ends before the next one
/// takes a step.
type Span = (usize, Vec<(usize, usize)>);

/// The shard whose pieces are wanted.
#[derive(Clone, Copy)]
struct Own<'a> {
    mode: &'a PlacedMode,
    block: usize,
    shard: usize,
}

impl Own<'_> {
    /// Whether it may have something of `[start, start + length)`: not if that is within a block of
    /// another shard.
    fn reaches(self, start: usize, length: usize) -> bool {
        let (first, last) = (start / self.block, (start + length - 1) / self.block);
        first != last || first % self.mode.shards == self.shard
    }

    /// Whether steps of `step` lead from each shard to itself.
    fn stays(self, step: usize) -> bool {
        self.mode.period().is_some_and(|period| step % period == 0)
    }
}

/// Cuts `[start, start + length)` at the multiples of each of `units`, which descend. A common
/// period of them is cut once, and repeated. What `own` has nothing of is left out as soon as that
/// is seen, unless repetitions lead to other shards. `None` if there are more steps than `left`.
fn cut(
    start: usize,
    length: usize,
    units: &[usize],
    own: Option<Own<'_>>,
    spans: &mut Vec<Span>,
    left: &mut usize,
) -> Option<()> {
    *left = left.checked_sub(1)?;
    if length == 0 || own.is_some_and(|own| !own.reaches(start, length)) {
        return Some(());
    }
    let Some((&largest, smaller)) = units.split_first() else {
        spans.push((start, vec![(length, 1)]));
        return Some(());
    };
    if let Some(period) = units.iter().try_fold(1, |period, &unit| lcm(period, unit)) {
        let times = length / period;
        if times > 1 {
            let first = spans.len();
            cut(start, period, units, own.filter(|own| own.stays(period)), spans, left)?;
            spans[first..].iter_mut().for_each(|(_, modes)| modes.push((times, period)));
            return cut(start + times * period, length - times * period, units, own, spans, left);
        }
    }
    let (mut at, end) = (start, start + length);
    while at < end {
        let next = (at / largest)
            .checked_add(1)
            .and_then(|turn| turn.checked_mul(largest))
            .map_or(end, |n| n.min(end));
        cut(at, next - at, smaller, own, spans, left)?;
        at = next;
    }
    Some(())
}

fn lcm(a: usize, b: usize) -> Option<usize> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).checked_mul(b)
}

/// The overlap of one shard with each shard of the other side, before if `is_from`, else after, and
/// in how many pieces it was found: those of the composition where both sides are blocks, and else
/// one for each run of neighbours.
pub(crate) fn overlap(
    from: &PlacedMode,
    to: &PlacedMode,
    shard: usize,
    is_from: bool,
) -> Result<(usize, Vec<OverlapsWith>), Error> {
    if from.blocks_of().is_some() && to.blocks_of().is_some() {
        let pieces = pieces(from, to, shard, is_from)?;
        return Ok((pieces.len(), overlaps(&pieces, shard, is_from)?));
    }
    let (modes, (own, other)) = ([from, to], if is_from { (from, to) } else { (to, from) });
    let mut found: Vec<(usize, BoxCopy)> = Vec::new();
    for (start, local, length) in own.runs(shard) {
        let mut at = 0;
        while at < length {
            let place = other.locate(start + at);
            let run = place.run.min(length - at);
            let (from, to) =
                if is_from { (local + at, place.local) } else { (place.local, local + at) };
            found.push((place.shard, BoxCopy { from, to, modes: vec![(run, 1, 1)] }));
            at += run;
            if found.len() > MOST_PIECES {
                return Err(too_many(&modes));
            }
        }
    }
    let pieces = found.len();
    found.sort_by_key(|one| one.0);
    let mut lists: Vec<OverlapsWith> = Vec::new();
    for group in found.chunk_by(|a, b| a.0 == b.0) {
        let boxes = repeated(group.iter().map(|one| one.1.clone()).collect());
        let overlap =
            boxes.into_iter().map(|BoxCopy { from, to, modes }| Overlap { from, to, modes });
        lists.push((group[0].0, overlap.collect()));
    }
    Ok((pieces, lists))
}

fn too_many([from, to]: &[&PlacedMode; 2]) -> Error {
    let blocks = |mode: &PlacedMode| {
        [mode.blocks_of().unwrap_or(mode.extent.div_ceil(mode.shards)), mode.shards]
    };
    Error::Pieces { from: blocks(from), to: blocks(to), extent: from.extent }
}

/// The pieces of the composition of two ways to place one extent in blocks, without those that a
/// shard has nothing of: before if `is_from`, else after. They come in one order, whichever are
/// left out.
fn pieces(
    from: &PlacedMode,
    to: &PlacedMode,
    shard: usize,
    is_from: bool,
) -> Result<Vec<Piece>, Error> {
    let (extent, mode) = (from.extent, if is_from { from } else { to });
    let own = Own { mode, block: mode.blocks_of().expect("of blocks"), shard };
    let ends = [from.blocks_of(), from.period(), to.blocks_of(), to.period()];
    let mut units: Vec<usize> = ends.into_iter().flatten().filter(|&unit| unit < extent).collect();
    units.sort_unstable_by(|a, b| b.cmp(a));
    units.dedup();
    let mut spans = Vec::new();
    cut(0, extent, &units, Some(own), &mut spans, &mut MOST_PIECES.clone())
        .ok_or_else(|| too_many(&[from, to]))?;
    let piece = |(start, modes): Span| {
        let modes: Vec<_> = modes.into_iter().filter(|mode| mode.0 > 1).collect();
        let side = |placed: &PlacedMode| {
            let Place { shard, local, .. } = placed.locate(start);
            let one = |&(_, step): &(usize, usize)| placed.locate(start + step);
            let (shard_steps, local_steps) = modes
                .iter()
                .map(one)
                .map(|place| (place.shard - shard, place.local - local))
                .unzip();
            Side { shard, local, shard_steps, local_steps }
        };
        Piece { from: side(from), to: side(to), extents: modes.iter().map(|mode| mode.0).collect() }
    };
    Ok(spans.into_iter().map(piece).collect())
}

/// The overlap of one shard with each shard of the other side, of its pieces, in ascending order of
/// that shard. The elements come in the order of the pieces, so that both ends of a message agree
/// on it.
fn overlaps(pieces: &[Piece], shard: usize, is_from: bool) -> Result<Vec<OverlapsWith>, Error> {
    let mut overlaps: Vec<(usize, Overlap)> = Vec::new();
    for piece in pieces {
        let (own, other) =
            if is_from { (&piece.from, &piece.to) } else { (&piece.to, &piece.from) };
        let Some(fixed) = own.coordinate_of(shard, &piece.extents) else { continue };
        let (mut other_shard, mut from, mut to) = (other.shard, piece.from.local, piece.to.local);
        let (mut moving, mut modes) = (Vec::new(), Vec::new());
        for (j, &extent) in piece.extents.iter().enumerate() {
            let (before, after) = (piece.from.local_steps[j], piece.to.local_steps[j]);
            match (own.shard_steps[j], other.shard_steps[j]) {
                (0, 0) => modes.push((extent, before, after)),
                (0, step) => moving.push((extent, step, before, after)),
                (_, step) => {
                    (from, to) = (from + fixed[j] * before, to + fixed[j] * after);
                    other_shard += fixed[j] * step;
                }
            }
        }
        // All shards that the modes lead to which move among them.
        let count: usize = moving.iter().map(|mode| mode.0).product();
        if count > MOST_RANKS || overlaps.len() > MOST_RANKS {
            return Err(Error::Transfers);
        }
        for mut number in 0..count {
            let (mut at, mut overlap) = (other_shard, Overlap { from, to, modes: modes.clone() });
            for &(extent, step, before, after) in &moving {
                let digit = number % extent;
                number /= extent;
                (at, overlap.from, overlap.to) =
                    (at + digit * step, overlap.from + digit * before, overlap.to + digit * after);
            }
            overlaps.push((at, overlap));
        }
    }
    overlaps.sort_by_key(|overlap| overlap.0);
    let mut grouped: Vec<OverlapsWith> = Vec::new();
    for (other, overlap) in overlaps {
        match grouped.last_mut() {
            Some((last, list)) if *last == other => list.push(overlap),
            _ => grouped.push((other, vec![overlap])),
        }
    }
    Ok(grouped)
}

impl Side {
    /// The coordinates of the modes that lead to other shards, at which `shard` is reached; `None`
    /// if it is not.
    fn coordinate_of(&self, shard: usize, extents: &[usize]) -> Option<Vec<usize>> {
        let mut left = shard.checked_sub(self.shard)?;
        let mut coordinate = vec![0; extents.len()];
        // Each mode ends before the next one takes a step: the last one first, as the digits of a
        // number.
        for j in (0..extents.len()).rev().filter(|&j| self.shard_steps[j] > 0) {
            coordinate[j] = (left / self.shard_steps[j]).min(extents[j] - 1);
            left -= coordinate[j] * self.shard_steps[j];
        }
        (left == 0).then_some(coordinate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockCyclic, Distribution, Mesh};
    use layout_algebra::prelude::*;

    fn placed(extent: usize, shards: usize, block: usize) -> PlacedMode {
        let mesh = Mesh::on_paper(shards, 0, DynLayout::left(&DynShape::from(shards))).unwrap();
        Distribution::new(&mesh, extent, [BlockCyclic(0, block)]).unwrap().modes()[0].clone()
    }

    /// Every element once, where it is before and after; and the overlap of two shards is the same
    /// from both sides.
    #[test]
    fn pieces_are_the_composition() {
        let mut one = 0;
        for extent in [0, 1, 2, 5, 12, 16, 23, 24, 48, 61] {
            for (p, b) in [(1, 1), (1, 5), (2, 1), (2, 4), (3, 2), (4, 3), (6, 1), (8, 2), (4, 16)]
            {
                for (q, c) in [(1, 3), (2, 2), (2, 8), (3, 1), (3, 4), (4, 1), (5, 3), (8, 7)] {
                    let (from, to) = (placed(extent, p, b), placed(extent, q, c));
                    let mut seen = vec![0; extent];
                    let cut =
                        |shard: usize, is_from: bool| pieces(&from, &to, shard, is_from).unwrap();
                    let of = |shard: usize, is_from: bool| {
                        overlaps(&cut(shard, is_from), shard, is_from).unwrap()
                    };
                    for shard in 0..p {
                        one += usize::from(cut(shard, true).len() == 1);
                        for (other, list) in of(shard, true) {
                            let back = of(other, false);
                            let same = back
                                .iter()
                                .find(|overlap| overlap.0 == shard)
                                .map(|overlap| &overlap.1);
                            assert_eq!(same, Some(&list));
                            for overlap in list {
                                for mut number in 0..overlap.size() {
                                    let (mut before, mut after) = (overlap.from, overlap.to);
                                    for &(n, s, t) in &overlap.modes {
                                        (before, after) =
                                            (before + number % n * s, after + number % n * t);
                                        number /= n;
                                    }
                                    let global = before % b + b * (shard + p * (before / b));
                                    assert_eq!(global, after % c + c * (other + q * (after / c)));
                                    seen[global] += 1;
                                }
                            }
                        }
                    }
                    assert!(
                        seen.iter().all(|&times| times == 1),
                        "{extent}: {b} over {p} to {c} over {q}"
                    );
                }
            }
        }
        assert!(one > 100, "{one}");
    }

    /// Where the algebra has a layout for the whole, there is one piece, and it is that layout.
    #[test]
    fn one_piece_is_what_the_algebra_composes() {
        let mut composed = 0;
        for (p, b, q, c) in [
            (2, 64, 4, 128),
            (4, 128, 2, 64),
            (2, 1, 4, 1),
            (4, 1, 4, 64),
            (8, 4, 2, 16),
            (6, 2, 3, 4),
        ] {
            let extent = 3072;
            let layout = |shards: usize, block: usize| {
                DynLayout::new(
                    (shards, (block, extent / shards / block)),
                    (block, (1, block * shards)),
                )
                .unwrap()
            };
            let whole = layout(q, c).left_inverse().unwrap().compose(layout(p, b)).unwrap();
            for number in 0..extent {
                let (shard, local) = (number % p, number / p);
                let reached = whole.index(number);
                let pieces =
                    pieces(&placed(extent, p, b), &placed(extent, q, c), shard, true).unwrap();
                assert_eq!(pieces.len(), 1);
                let overlap = overlaps(&pieces, shard, true).unwrap();
                let (_, list) = overlap.iter().find(|overlap| overlap.0 == reached % q).unwrap();
                let holds = |overlap: &Overlap| {
                    (0..overlap.size()).any(|mut i| {
                        let (mut before, mut after) = (overlap.from, overlap.to);
                        for &(n, s, t) in &overlap.modes {
                            (before, after) = (before + i % n * s, after + i % n * t);
                            i /= n;
                        }
                        (before, after) == (local, reached / q)
                    })
                };
                assert!(list.iter().any(holds));
                composed += 1;
            }
        }
        assert_eq!(composed, 6 * 3072);
    }

    /// A million ranks in a mode, and blocks of any sizes: a handful of pieces.
    #[test]
    fn pieces_do_not_grow_with_ranks() {
        for (p, b, q, c, most) in [
            (1000, 64, 1000, 128, 1),
            (1_000_000, 1, 1_000_000, 1, 1),
            (1_000_000, 64, 500_000, 128, 2),
            (1000, 64, 1000, 48, 100),
            (2, 1, 2, 1 << 29, 2),
        ] {
            let pieces =
                pieces(&placed(1 << 30, p, b), &placed(1 << 30, q, c), p / 2, true).unwrap();
            assert!(
                pieces.len() <= most + 8,
                "{} pieces: {b} over {p} to {c} over {q}",
                pieces.len()
            );
        }
    }
}
