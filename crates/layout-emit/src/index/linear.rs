//! Offsets that are linear in the bits of coordinates: XOR strides, swizzles, and natural strides
//! without carries.
//!
//! ```text
//! L(c) = constant ^ XOR of vector(b) over the set bits b of the atoms
//!        an atom is a number whose bits are read
//! Sw(L(c)) has the vectors Sw(vector(b)), since Sw(x ^ y) = Sw(x) ^ Sw(y)
//! ```

use layout_algebra::DynSwizzle;

use super::expr::{Graph, Node};
use super::sum::{Term, Work};
use crate::source::{Leaf, Product, Step};

/// One bit of an atom, and its contribution to the offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub atom: Node,
    pub bit: u32,
    pub vector: u64,
}

/// A linear function of bits, plus a constant.
#[derive(Clone, Debug, Default)]
pub struct Linear {
    pub constant: u64,
    pub rows: Vec<Row>,
}

/// A part of the natural strides whose offsets share no bit with other parts: a linear function, or
/// a sum as one atom.
struct Part {
    bits: u128,
    terms: Vec<Term>,
    constant: u64,
    rows: Option<Vec<Row>>,
}

/// A layout without names, plus an offset, as a linear function of atoms; `None` if a stride is
/// negative.
pub fn linear_function(
    work: &mut Work<'_>,
    coordinates: &[Node],
    modes: &[Vec<Leaf>],
    offset: u64,
) -> Option<Linear> {
    let (mut parts, mut xored) = (Vec::new(), Linear::default());
    for (&c, leaves) in coordinates.iter().zip(modes) {
        let leaves: Vec<_> =
            leaves.iter().filter(|leaf| leaf.extent.as_number() != Some(1)).cloned().collect();
        for (digit, leaf) in work.digits(c, &leaves, None).into_iter().zip(&leaves) {
            let last = leaf.extent.as_number()? - 1;
            let width = 128 - (last as u128).leading_zeros();
            // The bits of the last digit of a coordinate end with the coordinate.
            let end =
                width.min(128 - (work.graph.range_of(digit.base).bits >> digit.lo).leading_zeros());
            let number = match &leaf.step {
                Step::Xor(number) => *number as u128,
                Step::Sum(stride) => u128::try_from(stride.as_number()?).ok()?,
            };
            let row = |b| Row { atom: digit.base, bit: digit.lo + b, vector: (number << b) as u64 };
            let rows: Vec<Row> = (0..end).map(row).filter(|row| row.vector != 0).collect();
            if let Step::Xor(_) = leaf.step {
                xored.rows.extend(rows);
            } else if number != 0 {
                // No two vectors share a bit.
                let bits = rows.iter().fold(0, |bits, row| bits | row.vector);
                let is_linear =
                    rows.iter().map(|row| row.vector as u128).sum::<u128>() == bits as u128;
                let far = (last as u128).saturating_mul(number);
                let spanned =
                    super::expr::bits_up_to(far as i128) & (u128::MAX << number.trailing_zeros());
                let terms = vec![work.term(digit, &Product::number(number as i128))];
                let bits = if is_linear { bits as u128 } else { spanned };
                parts.push(Part { bits, terms, constant: 0, rows: is_linear.then_some(rows) });
            }
        }
    }
    // With XOR strides the offset is XORed too, as in a composed layout.
    if !xored.rows.is_empty() {
        xored.constant = offset;
    } else if offset != 0 {
        parts.push(Part {
            bits: offset.into(),
            terms: Vec::new(),
            constant: offset,
            rows: Some(Vec::new()),
        });
    }
    while let Some((at, with)) = find_overlap(&parts) {
        let other = parts.remove(with);
        let part = &mut parts[at];
        part.terms.extend(other.terms);
        part.constant += other.constant;
        let sum = work.sum(part.terms.clone(), part.constant.into());
        part.bits = work.graph.range_of(sum).bits;
        part.rows = None;
    }
    for part in parts {
        match part.rows {
            Some(rows) => {
                xored.constant ^= part.constant;
                xored.rows.extend(rows);
            }
            None => {
                let sum = work.sum(part.terms, part.constant.into());
                xored.rows.extend(rows_of_bits(work.graph, sum));
            }
        }
    }
    Some(xored)
}

/// The identity function of a node.
pub fn rows_of_bits(graph: &Graph, atom: Node) -> Vec<Row> {
    let bits = graph.range_of(atom).bits;
    (0..64)
        .filter(|bit| bits >> bit & 1 == 1)
        .map(|bit| Row { atom, bit, vector: 1 << bit })
        .collect()
}

/// The first two parts that share a bit.
fn find_overlap(parts: &[Part]) -> Option<(usize, usize)> {
    let pairs = (0..parts.len()).flat_map(|a| (a + 1..parts.len()).map(move |b| (a, b)));
    pairs.into_iter().find(|&(a, b)| parts[a].bits & parts[b].bits != 0)
}

impl Linear {
    /// The function followed by a swizzle.
    pub fn apply_swizzle_to(mut self, swizzle: DynSwizzle) -> Self {
        let apply = |vector: u64| swizzle.apply(vector as usize) as u64;
        self.constant = apply(self.constant);
        self.rows.iter_mut().for_each(|row| row.vector = apply(row.vector));
        self
    }

    /// The function as an expression: bits with equal shifts move together, and bits that go to
    /// several positions are multiplied if the product has no carries.
    pub fn node(&self, graph: &mut Graph) -> Node {
        let mut terms: Vec<Node> = Vec::new();
        let mut atoms: Vec<Node> = self.rows.iter().map(|row| row.atom).collect();
        atoms.sort_unstable();
        atoms.dedup();
        for atom in atoms {
            // The shifts, and the bits of each.
            let mut moves: Vec<(i32, u128)> = Vec::new();
            for row in self.rows.iter().filter(|row| row.atom == atom) {
                for bit in (0..64).filter(|bit| row.vector >> bit & 1 == 1) {
                    let by = bit - row.bit as i32;
                    match moves.iter_mut().find(|(other, _)| *other == by) {
                        // A bit that goes to one position twice cancels.
                        Some((_, mask)) => *mask ^= 1 << row.bit,
                        None => moves.push((by, 1 << row.bit)),
                    }
                }
            }
            moves.retain(|(_, mask)| *mask != 0);
            moves.sort_unstable();
            while let Some((first, mask)) = moves.first().copied() {
                let (mut times, mut reached) = (0u64, 0u128);
                moves.retain(|&(by, other)| {
                    let goes_to = mask << (by - first);
                    let fits = other == mask && reached & goes_to == 0;
                    if fits {
                        reached |= goes_to;
                        times |= 1 << (by - first);
                    }
                    !fits
                });
                let down = (-first).max(0) as u32;
                let shifted = graph.shift_right(atom, down);
                let field = graph.mask_bits(shifted, mask >> down);
                terms.push(graph.multiply_number(field, (times as i128) << first.max(0)));
            }
        }
        if self.constant != 0 {
            terms.push(graph.insert_number(self.constant.into()));
        }
        // XOR if bits are shared, else a sum: with a product before it, that is one instruction.
        let mut groups: Vec<Node> = Vec::new();
        for term in terms {
            let (mut joined, mut apart) = (term, Vec::new());
            for group in groups {
                if graph.range_of(group).bits & graph.range_of(joined).bits != 0 {
                    joined = graph.xor_nodes(group, joined);
                } else {
                    apart.push(group);
                }
            }
            groups = apart;
            groups.push(joined);
        }
        let zero = graph.insert_number(0);
        groups.into_iter().fold(zero, |sum, group| graph.add_nodes(sum, group))
    }
}
