//! The composition of one distribution with the inverse of another, mode by mode and in pieces.
//!
//! ```text
//! R = to.left_inverse() o from      (part, local) of the one  ->  (part, local) of the other
//! ```
//!
//! Where the blocks and the numbers of ranks divide one another, R is one layout. Else the extent is cut where either
//! side begins a new block or a new turn, and on each piece R is one: a piece is a start and some modes, along each of
//! which all four of part and local index, before and after, take equal steps. What repeats is not written down again,
//! and neither is what a rank has nothing of: the number of its pieces is that of the cuts through its blocks in one
//! common period, and neither that of the elements nor that of the ranks.

use alloc::vec;
use alloc::vec::Vec;

use crate::elements::repeated;
use crate::error::Error;
use crate::placed::{Place, PlacedMode};
use crate::plan::BoxCopy;

/// The most pieces, and steps on the way to them, that a plan has for a mode.
pub(crate) const MOST: usize = 1 << 20;

/// The most ranks that one has something for.
pub(crate) const MOST_RANKS: usize = 1 << 24;

/// A part and a local index on a piece: `start + sum c_j * steps[j]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    part: usize,
    local: usize,
    part_steps: Vec<usize>,
    local_steps: Vec<usize>,
}

/// Where the elements of some coordinates, `c_j < extents[j]`, are before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    extents: Vec<usize>,
    from: Side,
    to: Side,
}

/// The elements of a piece that one part has before, and one has after: local indices on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shared {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Extent, step before, step after.
    pub(crate) modes: Vec<(usize, usize, usize)>,
}

/// What is shared with one part of the other side.
pub(crate) type Share = (usize, Vec<Shared>);

impl Shared {
    pub(crate) fn size(&self) -> usize {
        self.modes.iter().map(|mode| mode.0).product()
    }
}

/// A start in the global index, and modes (extent, stride) each of which ends before the next one takes a step.
type Span = (usize, Vec<(usize, usize)>);

/// The part whose pieces are asked for.
#[derive(Clone, Copy)]
struct Own<'a> {
    mode: &'a PlacedMode,
    block: usize,
    part: usize,
}

impl Own<'_> {
    /// Whether it may have something of `[start, start + length)`: not if that is within a block of another part.
    fn reaches(self, start: usize, length: usize) -> bool {
        let (first, last) = (start / self.block, (start + length - 1) / self.block);
        first != last || first % self.mode.parts == self.part
    }

    /// Whether steps of `step` lead from each part to itself.
    fn stays(self, step: usize) -> bool {
        self.mode.period().is_some_and(|period| step % period == 0)
    }
}

/// Cuts `[start, start + length)` at the multiples of each of `units`, which descend. A common period of them is cut
/// once, and repeated. What `own` has nothing of is left out as soon as that is seen, unless repetitions lead to other
/// parts. `None` if there are more steps than `left`.
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
        let next = (at / largest).checked_add(1).and_then(|turn| turn.checked_mul(largest)).map_or(end, |n| n.min(end));
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

/// What one part shares with each part of the other side, before if `is_from`, else after, and in how many pieces it
/// was found: those of the composition where both sides are blocks, and else one for each run of neighbours.
pub(crate) fn shared(
    from: &PlacedMode,
    to: &PlacedMode,
    part: usize,
    is_from: bool,
) -> Result<(usize, Vec<Share>), Error> {
    if from.blocks_of().is_some() && to.blocks_of().is_some() {
        let pieces = pieces(from, to, part, is_from)?;
        return Ok((pieces.len(), shares(&pieces, part, is_from)?));
    }
    let (modes, (own, other)) = ([from, to], if is_from { (from, to) } else { (to, from) });
    let mut found: Vec<(usize, BoxCopy)> = Vec::new();
    for (start, local, length) in own.runs(part) {
        let mut at = 0;
        while at < length {
            let place = other.locate(start + at);
            let run = place.run.min(length - at);
            let (from, to) = if is_from { (local + at, place.local) } else { (place.local, local + at) };
            found.push((place.part, BoxCopy { from, to, modes: vec![(run, 1, 1)] }));
            at += run;
            if found.len() > MOST {
                return Err(too_many(&modes));
            }
        }
    }
    let pieces = found.len();
    found.sort_by_key(|one| one.0);
    let mut lists: Vec<Share> = Vec::new();
    for group in found.chunk_by(|a, b| a.0 == b.0) {
        let boxes = repeated(group.iter().map(|one| one.1.clone()).collect());
        let shared = boxes.into_iter().map(|BoxCopy { from, to, modes }| Shared { from, to, modes });
        lists.push((group[0].0, shared.collect()));
    }
    Ok((pieces, lists))
}

fn too_many([from, to]: &[&PlacedMode; 2]) -> Error {
    let blocks = |mode: &PlacedMode| [mode.blocks_of().unwrap_or(mode.extent.div_ceil(mode.parts)), mode.parts];
    Error::Pieces { from: blocks(from), to: blocks(to), extent: from.extent }
}

/// The pieces of the composition of two ways to place one extent in blocks, without those that a part has nothing of:
/// before if `is_from`, else after. They come in one order, whichever are left out.
fn pieces(from: &PlacedMode, to: &PlacedMode, part: usize, is_from: bool) -> Result<Vec<Piece>, Error> {
    let (extent, mode) = (from.extent, if is_from { from } else { to });
    let own = Own { mode, block: mode.blocks_of().expect("of blocks"), part };
    let ends = [from.blocks_of(), from.period(), to.blocks_of(), to.period()];
    let mut units: Vec<usize> = ends.into_iter().flatten().filter(|&unit| unit < extent).collect();
    units.sort_unstable_by(|a, b| b.cmp(a));
    units.dedup();
    let mut spans = Vec::new();
    cut(0, extent, &units, Some(own), &mut spans, &mut MOST.clone()).ok_or_else(|| too_many(&[from, to]))?;
    let piece = |(start, modes): Span| {
        let modes: Vec<_> = modes.into_iter().filter(|mode| mode.0 > 1).collect();
        let side = |placed: &PlacedMode| {
            let Place { part, local, .. } = placed.locate(start);
            let one = |&(_, step): &(usize, usize)| placed.locate(start + step);
            let (part_steps, local_steps) =
                modes.iter().map(one).map(|place| (place.part - part, place.local - local)).unzip();
            Side { part, local, part_steps, local_steps }
        };
        Piece { from: side(from), to: side(to), extents: modes.iter().map(|mode| mode.0).collect() }
    };
    Ok(spans.into_iter().map(piece).collect())
}

/// What one part shares with each part of the other side, of its pieces, in ascending order of that part. The elements
/// come in the order of the pieces, so that both ends of a message agree on it.
fn shares(pieces: &[Piece], part: usize, is_from: bool) -> Result<Vec<Share>, Error> {
    let mut shares: Vec<(usize, Shared)> = Vec::new();
    for piece in pieces {
        let (own, other) = if is_from { (&piece.from, &piece.to) } else { (&piece.to, &piece.from) };
        let Some(fixed) = own.coordinate_of(part, &piece.extents) else { continue };
        let (mut other_part, mut from, mut to) = (other.part, piece.from.local, piece.to.local);
        let (mut moving, mut modes) = (Vec::new(), Vec::new());
        for (j, &extent) in piece.extents.iter().enumerate() {
            let (before, after) = (piece.from.local_steps[j], piece.to.local_steps[j]);
            match (own.part_steps[j], other.part_steps[j]) {
                (0, 0) => modes.push((extent, before, after)),
                (0, step) => moving.push((extent, step, before, after)),
                (_, step) => {
                    (from, to) = (from + fixed[j] * before, to + fixed[j] * after);
                    other_part += fixed[j] * step;
                }
            }
        }
        // All parts that the modes lead to which move among them.
        let count: usize = moving.iter().map(|mode| mode.0).product();
        if count > MOST_RANKS || shares.len() > MOST_RANKS {
            return Err(Error::Transfers);
        }
        for mut number in 0..count {
            let (mut at, mut shared) = (other_part, Shared { from, to, modes: modes.clone() });
            for &(extent, step, before, after) in &moving {
                let digit = number % extent;
                number /= extent;
                (at, shared.from, shared.to) =
                    (at + digit * step, shared.from + digit * before, shared.to + digit * after);
            }
            shares.push((at, shared));
        }
    }
    shares.sort_by_key(|share| share.0);
    let mut grouped: Vec<Share> = Vec::new();
    for (other, shared) in shares {
        match grouped.last_mut() {
            Some((last, list)) if *last == other => list.push(shared),
            _ => grouped.push((other, vec![shared])),
        }
    }
    Ok(grouped)
}

impl Side {
    /// The coordinates of the modes that lead to other parts, at which `part` is reached; `None` if it is not.
    fn coordinate_of(&self, part: usize, extents: &[usize]) -> Option<Vec<usize>> {
        let mut left = part.checked_sub(self.part)?;
        let mut coordinate = vec![0; extents.len()];
        // Each mode ends before the next one takes a step: the last one first, as the digits of a number.
        for j in (0..extents.len()).rev().filter(|&j| self.part_steps[j] > 0) {
            coordinate[j] = (left / self.part_steps[j]).min(extents[j] - 1);
            left -= coordinate[j] * self.part_steps[j];
        }
        (left == 0).then_some(coordinate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockCyclic, Distribution, Mesh};
    use layout_algebra::prelude::*;

    fn placed(extent: usize, parts: usize, block: usize) -> PlacedMode {
        let mesh = Mesh::on_paper(parts, 0, DynLayout::left(&DynShape::from(parts))).unwrap();
        Distribution::new(&mesh, extent, [BlockCyclic(0, block)]).unwrap().modes()[0].clone()
    }

    /// Every element once, where it is before and after; and what two parts share is the same from both sides.
    #[test]
    fn pieces_are_the_composition() {
        let mut one = 0;
        for extent in [0, 1, 2, 5, 12, 16, 23, 24, 48, 61] {
            for (p, b) in [(1, 1), (1, 5), (2, 1), (2, 4), (3, 2), (4, 3), (6, 1), (8, 2), (4, 16)] {
                for (q, c) in [(1, 3), (2, 2), (2, 8), (3, 1), (3, 4), (4, 1), (5, 3), (8, 7)] {
                    let (from, to) = (placed(extent, p, b), placed(extent, q, c));
                    let mut seen = vec![0; extent];
                    let cut = |part: usize, is_from: bool| pieces(&from, &to, part, is_from).unwrap();
                    let of = |part: usize, is_from: bool| shares(&cut(part, is_from), part, is_from).unwrap();
                    for part in 0..p {
                        one += usize::from(cut(part, true).len() == 1);
                        for (other, list) in of(part, true) {
                            let back = of(other, false);
                            let same = back.iter().find(|share| share.0 == part).map(|share| &share.1);
                            assert_eq!(same, Some(&list));
                            for shared in list {
                                for mut number in 0..shared.size() {
                                    let (mut before, mut after) = (shared.from, shared.to);
                                    for &(n, s, t) in &shared.modes {
                                        (before, after) = (before + number % n * s, after + number % n * t);
                                        number /= n;
                                    }
                                    let global = before % b + b * (part + p * (before / b));
                                    assert_eq!(global, after % c + c * (other + q * (after / c)));
                                    seen[global] += 1;
                                }
                            }
                        }
                    }
                    assert!(seen.iter().all(|&times| times == 1), "{extent}: {b} over {p} to {c} over {q}");
                }
            }
        }
        assert!(one > 100, "{one}");
    }

    /// Where the algebra has a layout for the whole, there is one piece, and it is that layout.
    #[test]
    fn one_piece_is_what_the_algebra_composes() {
        let mut composed = 0;
        for (p, b, q, c) in [(2, 64, 4, 128), (4, 128, 2, 64), (2, 1, 4, 1), (4, 1, 4, 64), (8, 4, 2, 16), (6, 2, 3, 4)]
        {
            let extent = 3072;
            let layout = |parts: usize, block: usize| {
                DynLayout::new((parts, (block, extent / parts / block)), (block, (1, block * parts))).unwrap()
            };
            let whole = layout(q, c).left_inverse().unwrap().compose(layout(p, b)).unwrap();
            for number in 0..extent {
                let (part, local) = (number % p, number / p);
                let reached = whole.index(number);
                let pieces = pieces(&placed(extent, p, b), &placed(extent, q, c), part, true).unwrap();
                assert_eq!(pieces.len(), 1);
                let shared = shares(&pieces, part, true).unwrap();
                let (_, list) = shared.iter().find(|share| share.0 == reached % q).unwrap();
                let holds = |shared: &Shared| {
                    (0..shared.size()).any(|mut i| {
                        let (mut before, mut after) = (shared.from, shared.to);
                        for &(n, s, t) in &shared.modes {
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
            let pieces = pieces(&placed(1 << 30, p, b), &placed(1 << 30, q, c), p / 2, true).unwrap();
            assert!(pieces.len() <= most + 8, "{} pieces: {b} over {p} to {c} over {q}", pieces.len());
        }
    }
}
