//! Offsets as sums: each digit of a coordinate times its stride, in as few operations as code
//! written by hand.
//!
//! ```text
//! term = (base & mask) * odd * 2^exp * names
//!        digits that are bits of one number, with one ratio, are one term
//! c % s * d + c / s * e  =  c * d + c / s * (e - s * d)
//!        no remainder where the quotient is needed anyway
//! ```

use super::expr::{Graph, Node};
use crate::source::{Leaf, Product, Step};

/// `(base & mask) * odd * 2^exp * names`; the mask has no bits below `-exp`.
#[derive(Clone, Debug)]
pub struct Term {
    base: Node,
    mask: u128,
    odd: i128,
    exp: i32,
    names: Vec<usize>,
}

/// A digit of a coordinate: `(base & mask) >> lo`.
#[derive(Clone, Copy, Debug)]
pub struct Digit {
    pub base: Node,
    pub lo: u32,
    pub mask: u128,
}

/// The context in which expressions are made.
pub struct Work<'a> {
    pub graph: &'a mut Graph,
    /// The parameters by name.
    pub names: &'a [Node],
    /// The largest number of a word.
    pub limit: i128,
}

impl Work<'_> {
    /// Marks a value that fits by the caller's promise.
    fn fits(&mut self, node: Node) -> Node {
        if !self.names.is_empty() {
            self.graph.narrow_range(node, 0, self.limit);
        }
        node
    }

    /// A product of names and a number.
    pub fn product(&mut self, product: &Product) -> Node {
        let mut all = self.graph.insert_number(1);
        for &name in &product.names {
            all = self.graph.multiply_nodes(all, self.names[name]);
            all = self.fits(all);
        }
        all = self.graph.multiply_number(all, product.factor);
        self.fits(all)
    }

    /// Splits a coordinate `c` of a mode into the digits of its leaves, leftmost fastest. With
    /// terms, the digit of a leaf may be the whole coordinate if another term subtracts the excess.
    pub fn digits(
        &mut self,
        c: Node,
        leaves: &[Leaf],
        mut terms: Option<&mut Vec<Term>>,
    ) -> Vec<Digit> {
        let whole = |base| Digit { base, lo: 0, mask: u128::MAX };
        let (mut base, mut lo, mut digits) = (c, 0, Vec::new());
        for (at, leaf) in leaves.iter().enumerate() {
            let rest = Digit { base, lo, mask: bits_from(lo) };
            let more = leaves[at + 1..].iter().any(|leaf| !leaf.step.is_zero());
            match (leaf.extent.as_number(), &leaf.step, &mut terms) {
                _ if at + 1 == leaves.len() => digits.push(rest),
                (Some(extent), ..) if extent & (extent - 1) == 0 => {
                    let bits = extent.trailing_zeros();
                    digits.push(Digit { mask: rest.mask & !bits_from(lo + bits), ..rest });
                    lo += bits;
                }
                (Some(extent), Step::Sum(stride), Some(terms))
                    if more && self.is_within_word(rest, stride) && stride.factor > 0 =>
                {
                    // c * d - c / s * (s * d), and the quotient has its own stride.
                    let coordinate = self.graph.shift_right(base, lo);
                    (base, lo) = (self.graph.divide_number(coordinate, extent), 0);
                    digits.push(rest);
                    terms.push(self.term(whole(base), &stride.times(&Product::number(-extent))));
                }
                _ => {
                    let (digit, next) = self.split_coordinate(rest, leaf, more);
                    digits.push(whole(digit));
                    (base, lo) = (next, 0);
                }
            }
            if !more {
                // The digits of stride 0 are not needed.
                let zero = whole(self.graph.insert_number(0));
                digits.resize(leaves.len(), zero);
                break;
            }
        }
        digits
    }

    /// A digit times a stride.
    pub fn term(&self, digit: Digit, stride: &Product) -> Term {
        let two = stride.factor.trailing_zeros() as i32;
        let (odd, exp) =
            if stride.factor == 0 { (0, 0) } else { (stride.factor >> two, two - digit.lo as i32) };
        Term {
            base: digit.base,
            mask: digit.mask & self.graph.range_of(digit.base).bits,
            odd,
            exp,
            names: stride.names.clone(),
        }
    }

    /// The terms of a mode of natural and negative strides.
    pub fn add_terms(&mut self, c: Node, leaves: &[Leaf], terms: &mut Vec<Term>) {
        let leaves = coalesce_leaves(leaves);
        for (digit, leaf) in self.digits(c, &leaves, Some(terms)).into_iter().zip(&leaves) {
            if let Step::Sum(stride) = &leaf.step {
                terms.push(self.term(digit, stride));
            }
        }
    }

    /// A digit, and the rest of the coordinate above it.
    fn split_coordinate(&mut self, rest: Digit, leaf: &Leaf, more: bool) -> (Node, Node) {
        let whole = self.graph.shift_right(rest.base, rest.lo);
        let by = self.product(&leaf.extent);
        if more && !leaf.step.is_zero() {
            let next = self.graph.divide_nodes(whole, by);
            let before = self.graph.multiply_nodes(next, by);
            let digit = self.graph.subtract_nodes(whole, before);
            let most = leaf.extent.as_number().unwrap_or(self.limit) - 1;
            self.graph.narrow_range(digit, 0, most);
            (digit, next)
        } else if more {
            (self.graph.insert_number(0), self.graph.divide_nodes(whole, by))
        } else {
            (self.graph.remainder_nodes(whole, by), whole)
        }
    }

    /// Whether the whole coordinate times the stride fits a word.
    fn is_within_word(&self, digit: Digit, stride: &Product) -> bool {
        let most = self.graph.range_of(digit.base).hi >> digit.lo;
        stride.names.is_empty() && most.saturating_mul(stride.factor) <= self.limit
    }

    /// The sum of the terms and a constant.
    pub fn sum(&mut self, mut terms: Vec<Term>, constant: i128) -> Node {
        self.merge_terms(&mut terms);
        let mut sum = self.graph.insert_number(0);
        for term in terms.iter().filter(|term| term.odd > 0) {
            let node = self.value(term);
            sum = self.graph.add_nodes(sum, node);
            sum = self.fits(sum);
        }
        let number = self.graph.insert_number(constant.max(0));
        sum = self.graph.add_nodes(sum, number);
        for term in terms.iter().filter(|term| term.odd < 0) {
            let node = self.value(term);
            sum = self.graph.subtract_nodes(sum, node);
        }
        let number = self.graph.insert_number(-constant.min(0));
        self.graph.subtract_nodes(sum, number)
    }

    /// One term, without its sign.
    fn value(&mut self, term: &Term) -> Node {
        let mut down = (-term.exp).max(0) as u32;
        let lo = term.mask.trailing_zeros();
        if !self.names.is_empty()
            && term.mask == self.graph.range_of(term.base).bits & bits_from(lo)
        {
            // The mask has all bits up to the end of the word: a shift suffices.
            down = lo;
        }
        let field = if down > 0 && self.graph.range_of(term.base).lo < 0 {
            // A number that may wrap is truncated to a word before it is shifted.
            let word = self.limit as u128;
            let is_all = (term.mask & word) >> down == word >> down;
            let cut = self.graph.mask_bits(term.base, if is_all { word } else { term.mask & word });
            self.graph.shift_right(cut, down)
        } else {
            let shifted = self.graph.shift_right(term.base, down);
            self.graph.mask_bits(shifted, term.mask >> down)
        };
        let scaled = self.graph.multiply_number(field, term.odd.abs() << (term.exp + down as i32));
        let names = self.product(&Product { factor: 1, names: term.names.clone() });
        let value = self.graph.multiply_nodes(scaled, names);
        if term.names.is_empty() { value } else { self.fits(value) }
    }

    /// Joins terms of the same bits, and bits of one number with the same scale.
    fn merge_terms(&mut self, terms: &mut Vec<Term>) {
        let mut merged: Vec<Term> = Vec::new();
        for term in terms.drain(..) {
            let same = |other: &&mut Term| {
                (other.base, other.mask, &other.names) == (term.base, term.mask, &term.names)
            };
            match merged.iter_mut().find(same) {
                None => merged.push(term),
                Some(other) => {
                    let exp = other.exp.min(term.exp);
                    let odd = (other.odd << (other.exp - exp)) + (term.odd << (term.exp - exp));
                    let two = if odd == 0 { 0 } else { odd.trailing_zeros() };
                    (other.odd, other.exp) = (odd >> two, exp + two as i32);
                }
            }
        }
        for term in merged.into_iter().filter(|term| term.odd != 0 && term.mask != 0) {
            let continues = |other: &&mut Term| {
                (other.base, other.odd, other.exp, &other.names)
                    == (term.base, term.odd, term.exp, &term.names)
                    && other.mask & term.mask == 0
            };
            match terms.iter_mut().find(continues) {
                Some(other) => other.mask |= term.mask,
                None => terms.push(term),
            }
        }
        self.merge_remainders(terms);
    }

    /// `c * d - c / n * (n * d)` is `c % n * d`.
    fn merge_remainders(&mut self, terms: &mut Vec<Term>) {
        for at in 0..terms.len() {
            let Term { base, odd, exp, .. } = terms[at];
            if terms[at].mask != self.graph.range_of(base).bits || odd < 0 {
                continue;
            }
            let quotient = |graph: &Graph, other: &Term| -> Option<i128> {
                let super::expr::Op::Div(of, by) = *graph.operation_of(other.base) else {
                    return None;
                };
                let by = graph
                    .number_of(by)
                    .filter(|_| of == base && other.mask == graph.range_of(other.base).bits)?;
                let low = exp.min(other.exp);
                let is_whole =
                    by.checked_mul(-(odd << (exp - low))) == Some(other.odd << (other.exp - low));
                (is_whole && other.names == terms[at].names).then_some(by)
            };
            let found =
                (0..terms.len()).find_map(|k| quotient(self.graph, &terms[k]).map(|by| (k, by)));
            if let Some((k, by)) = found {
                let base = self.graph.remainder_number(base, by);
                let mask = self.graph.range_of(base).bits;
                debug_assert!(exp >= 0, "a whole coordinate is not shifted");
                terms[at] = Term { base, mask, ..terms[at].clone() };
                terms.remove(k);
                return self.merge_remainders(terms);
            }
        }
    }
}

/// All bits from `lo` on.
fn bits_from(lo: u32) -> u128 {
    u128::MAX.checked_shl(lo).unwrap_or(0)
}

/// Joins contiguous leaves and drops leaves of extent 1: the same function of the coordinate.
pub fn coalesce_leaves(leaves: &[Leaf]) -> Vec<Leaf> {
    let mut all: Vec<Leaf> = Vec::new();
    for leaf in leaves.iter().filter(|leaf| leaf.extent.as_number() != Some(1)) {
        match (all.last_mut(), &leaf.step) {
            (Some(Leaf { extent, step: Step::Sum(stride) }), Step::Sum(next))
                if stride.times(extent) == *next =>
            {
                *extent = extent.times(&leaf.extent);
            }
            _ => all.push(leaf.clone()),
        }
    }
    all
}
