//! Offsets that are sums: each digit of a coordinate times its stride, in as few operations as a person would take.
//!
//! ```text
//! term    = (base & mask) * odd * 2^exp * names        digits that are bits of one number, with one ratio, are one term
//! c % s * d + c / s * e  =  c * d + c / s * (e - s * d)    no remainder where the quotient is needed anyway
//! ```

use crate::expr::{Graph, Node};
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

/// What expressions are made with.
pub struct Work<'a> {
    pub graph: &'a mut Graph,
    /// The parameters by name.
    pub names: &'a [Node],
    /// The largest number of a word.
    pub limit: i128,
}

impl Work<'_> {
    /// A value that whoever calls promises to fit.
    fn fits(&mut self, node: Node) -> Node {
        if !self.names.is_empty() {
            self.graph.narrow(node, 0, self.limit);
        }
        node
    }

    /// A product of names and a number.
    pub fn product(&mut self, product: &Product) -> Node {
        let mut all = self.graph.number(1);
        for &name in &product.names {
            all = self.graph.mul(all, self.names[name]);
            all = self.fits(all);
        }
        all = self.graph.times(all, product.factor);
        self.fits(all)
    }

    /// Splits a coordinate `c` of a mode into the digits of its leaves, the leftmost the fastest. With terms, a digit of a
    /// leaf may be the whole coordinate, if a term takes away what is too much.
    pub fn digits(&mut self, c: Node, leaves: &[Leaf], mut terms: Option<&mut Vec<Term>>) -> Vec<Digit> {
        let whole = |base| Digit { base, lo: 0, mask: u128::MAX };
        let (mut base, mut lo, mut digits) = (c, 0, Vec::new());
        for (at, leaf) in leaves.iter().enumerate() {
            let rest = Digit { base, lo, mask: above(lo) };
            let more = leaves[at + 1..].iter().any(|leaf| !leaf.step.is_zero());
            match (leaf.extent.as_number(), &leaf.step, &mut terms) {
                _ if at + 1 == leaves.len() => digits.push(rest),
                (Some(extent), ..) if extent & (extent - 1) == 0 => {
                    let bits = extent.trailing_zeros();
                    digits.push(Digit { mask: rest.mask & !above(lo + bits), ..rest });
                    lo += bits;
                }
                (Some(extent), Step::Sum(stride), Some(terms))
                    if more && self.is_within(rest, stride) && stride.factor > 0 =>
                {
                    // c * d - c / s * (s * d), and the quotient has its own stride.
                    let coordinate = self.graph.shr(base, lo);
                    (base, lo) = (self.graph.div(coordinate, extent), 0);
                    digits.push(rest);
                    terms.push(self.term(whole(base), &stride.times(&Product::number(-extent))));
                }
                _ => {
                    let (digit, next) = self.digits_of_two(rest, leaf, more);
                    digits.push(whole(digit));
                    (base, lo) = (next, 0);
                }
            }
            if !more {
                // The digits of strides that do not move are not needed.
                let zero = whole(self.graph.number(0));
                digits.resize(leaves.len(), zero);
                break;
            }
        }
        digits
    }

    /// A digit times a stride.
    pub fn term(&self, digit: Digit, stride: &Product) -> Term {
        let two = stride.factor.trailing_zeros() as i32;
        let (odd, exp) = if stride.factor == 0 { (0, 0) } else { (stride.factor >> two, two - digit.lo as i32) };
        Term {
            base: digit.base,
            mask: digit.mask & self.graph.range(digit.base).bits,
            odd,
            exp,
            names: stride.names.clone(),
        }
    }

    /// The terms of a mode of natural and negative strides.
    pub fn terms(&mut self, c: Node, leaves: &[Leaf], terms: &mut Vec<Term>) {
        let leaves = coalesced(leaves);
        for (digit, leaf) in self.digits(c, &leaves, Some(terms)).into_iter().zip(&leaves) {
            if let Step::Sum(stride) = &leaf.step {
                terms.push(self.term(digit, stride));
            }
        }
    }

    /// A digit, and what is left above it.
    fn digits_of_two(&mut self, rest: Digit, leaf: &Leaf, more: bool) -> (Node, Node) {
        let whole = self.graph.shr(rest.base, rest.lo);
        let by = self.product(&leaf.extent);
        if more && !leaf.step.is_zero() {
            let next = self.graph.div_by(whole, by);
            let before = self.graph.mul(next, by);
            let digit = self.graph.sub(whole, before);
            let most = leaf.extent.as_number().unwrap_or(self.limit) - 1;
            self.graph.narrow(digit, 0, most);
            (digit, next)
        } else if more {
            (self.graph.number(0), self.graph.div_by(whole, by))
        } else {
            (self.graph.rem_by(whole, by), whole)
        }
    }

    /// Does the whole coordinate times the stride fit a word?
    fn is_within(&self, digit: Digit, stride: &Product) -> bool {
        let most = self.graph.range(digit.base).hi >> digit.lo;
        stride.names.is_empty() && most.saturating_mul(stride.factor) <= self.limit
    }

    /// The sum of the terms and a number.
    pub fn sum(&mut self, mut terms: Vec<Term>, constant: i128) -> Node {
        self.gather(&mut terms);
        let mut sum = self.graph.number(0);
        for term in terms.iter().filter(|term| term.odd > 0) {
            let node = self.value(term);
            sum = self.graph.add(sum, node);
            sum = self.fits(sum);
        }
        let number = self.graph.number(constant.max(0));
        sum = self.graph.add(sum, number);
        for term in terms.iter().filter(|term| term.odd < 0) {
            let node = self.value(term);
            sum = self.graph.sub(sum, node);
        }
        let number = self.graph.number(-constant.min(0));
        self.graph.sub(sum, number)
    }

    /// One term, without its sign.
    fn value(&mut self, term: &Term) -> Node {
        let mut down = (-term.exp).max(0) as u32;
        let lo = term.mask.trailing_zeros();
        if !self.names.is_empty() && term.mask == self.graph.range(term.base).bits & above(lo) {
            // All bits from here on, up to the end of the word: no number has to say where that is.
            down = lo;
        }
        let field = if down > 0 && self.graph.range(term.base).lo < 0 {
            // Of a number that wraps, bits of a word are cut out before they are shifted.
            let word = self.limit as u128;
            let is_all = (term.mask & word) >> down == word >> down;
            let cut = self.graph.and(term.base, if is_all { word } else { term.mask & word });
            self.graph.shr(cut, down)
        } else {
            let shifted = self.graph.shr(term.base, down);
            self.graph.and(shifted, term.mask >> down)
        };
        let scaled = self.graph.times(field, term.odd.abs() << (term.exp + down as i32));
        let names = self.product(&Product { factor: 1, names: term.names.clone() });
        let value = self.graph.mul(scaled, names);
        if term.names.is_empty() { value } else { self.fits(value) }
    }

    /// Terms of the same bits are one, and so are bits of one number with one ratio.
    fn gather(&mut self, terms: &mut Vec<Term>) {
        let mut merged: Vec<Term> = Vec::new();
        for term in terms.drain(..) {
            let same =
                |other: &&mut Term| (other.base, other.mask, &other.names) == (term.base, term.mask, &term.names);
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
                (other.base, other.odd, other.exp, &other.names) == (term.base, term.odd, term.exp, &term.names)
                    && other.mask & term.mask == 0
            };
            match terms.iter_mut().find(continues) {
                Some(other) => other.mask |= term.mask,
                None => terms.push(term),
            }
        }
        self.remainders(terms);
    }

    /// `c * d - c / n * (n * d)` is `c % n * d`.
    fn remainders(&mut self, terms: &mut Vec<Term>) {
        for at in 0..terms.len() {
            let Term { base, odd, exp, .. } = terms[at];
            if terms[at].mask != self.graph.range(base).bits || odd < 0 {
                continue;
            }
            let quotient = |graph: &Graph, other: &Term| -> Option<i128> {
                let crate::expr::Op::Div(of, by) = *graph.op(other.base) else { return None };
                let by = graph.value(by).filter(|_| of == base && other.mask == graph.range(other.base).bits)?;
                let low = exp.min(other.exp);
                let is_whole = by.checked_mul(-(odd << (exp - low))) == Some(other.odd << (other.exp - low));
                (is_whole && other.names == terms[at].names).then_some(by)
            };
            let found = (0..terms.len()).find_map(|k| quotient(self.graph, &terms[k]).map(|by| (k, by)));
            if let Some((k, by)) = found {
                let base = self.graph.rem(base, by);
                let mask = self.graph.range(base).bits;
                debug_assert!(exp >= 0, "a whole coordinate is not shifted");
                terms[at] = Term { base, mask, ..terms[at].clone() };
                terms.remove(k);
                return self.remainders(terms);
            }
        }
    }
}

/// All bits from `lo` on.
fn above(lo: u32) -> u128 {
    u128::MAX.checked_shl(lo).unwrap_or(0)
}

/// Leaves that are one run as one, none of extent 1: the same function of the coordinate.
pub fn coalesced(leaves: &[Leaf]) -> Vec<Leaf> {
    let mut all: Vec<Leaf> = Vec::new();
    for leaf in leaves.iter().filter(|leaf| leaf.extent.as_number() != Some(1)) {
        match (all.last_mut(), &leaf.step) {
            (Some(Leaf { extent, step: Step::Sum(stride) }), Step::Sum(next)) if stride.times(extent) == *next => {
                *extent = extent.times(&leaf.extent);
            }
            _ => all.push(leaf.clone()),
        }
    }
    all
}
