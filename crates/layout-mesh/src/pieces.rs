//! The composition of a distribution with the inverse of another, mode by mode, in pieces.
//!
//! ```text
//! R = to.left_inverse() o from      (shard, local) of the one  ->  (shard, local) of the other
//! ```
//!
//! If the blocks and the numbers of ranks divide one another, R is one layout. Otherwise the extent
//! is cut where either side starts a new block or a new round, and R is a layout on each piece. A
//! piece is a start and modes along which shard and local index, before and after, have constant
//! strides. A periodic cut is a mode, not further pieces, and pieces without elements of the rank
//! are dropped. So the number of pieces is that of the cuts through the rank's blocks in one common
//! period, independent of the numbers of elements and of ranks.

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

/// A piece: the positions before and after of the elements of coordinates `c_j < extents[j]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    extents: Vec<usize>,
    from: Side,
    to: Side,
}

/// The elements of a piece that are in one given shard before and one given shard after: local
/// indices of both sides.
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

/// A start of the global index, and modes (extent, stride). The span of each mode is below the
/// stride of the next one.
type Span = (usize, Vec<(usize, usize)>);

/// The shard whose pieces are computed.
#[derive(Clone, Copy)]
struct Own<'a> {
    mode: &'a PlacedMode,
    block: usize,
    shard: usize,
}

impl Own<'_> {
    /// Whether the shard may have elements of `[start, start + length)`: `false` if the range is
    /// within a block of another shard.
    fn reaches(self, start: usize, length: usize) -> bool {
        let (first, last) = (start / self.block, (start + length - 1) / self.block);
        first != last || first % self.mode.shards == self.shard
    }

    /// Whether the index plus `step` is always in the same shard.
    fn stays(self, step: usize) -> bool {
        self.mode.period().is_some_and(|period| step % period == 0)
    }
}

/// Cuts `[start, start + length)` at the multiples of each of `units`, which are in descending
/// order. A common period is cut once, and its repetition is a mode. Ranges without elements of
/// `own` are dropped early, unless the repetition reaches other shards. `None` if it takes more
/// than `left` steps.
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

/// The overlap of one shard (before if `is_from`, else after) with each shard of the other side,
/// and the number of pieces: those of the composition if both sides are blocks, otherwise the
/// contiguous runs.
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

/// The pieces of the composition of two block placements of one extent, without those that have no
/// elements of a shard (before if `is_from`, else after). Their order does not depend on the shard.
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

/// The overlap of one shard with each shard of the other side, from its pieces, in ascending order
/// of the other shard. Elements are in the order of the pieces, so sender and receiver have the
/// same order.
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
        // All shards that are reached along the modes whose step changes the shard.
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
    /// The coordinates, in the modes whose step changes the shard, at which `shard` is reached;
    /// `None` if it is not reached.
    fn coordinate_of(&self, shard: usize, extents: &[usize]) -> Option<Vec<usize>> {
        let mut left = shard.checked_sub(self.shard)?;
        let mut coordinate = vec![0; extents.len()];
        // The span of each mode is below the stride of the next one: like the digits of a number,
        // from the last one.
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

    /// The pieces have every element once, at its positions before and after, and the overlap of
    /// two shards is the same from both sides.
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

    /// If the algebra has a layout for the composition, there is one piece, which equals that
    /// layout.
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

    /// With a million ranks in a mode, and blocks of any sizes, there are few pieces.
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
