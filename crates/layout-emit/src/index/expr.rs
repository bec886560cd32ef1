//! Expressions of integers: a graph in which equal expressions share a node, and each node has a
//! range.
//!
//! ```text
//! node = input | number | node op node
//!        lo(node) <= value <= hi(node), and value & !bits(node) == 0
//! ```
//!
//! The function that makes a node first checks whether the ranges allow a simpler one: `x / 8`
//! becomes a shift, `x % 8` a mask, and with `x < 8` they become 0 and `x`.

use std::collections::HashMap;

/// A node of an index function: [`Index::operations`](crate::Index::operations) has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(u32);

/// The operation of a node: [`Index::operations`](crate::Index::operations) has an example. Numbers
/// are wide enough for all offsets and their differences.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// An argument of the function.
    Input(String),
    /// A number.
    Number(i128),
    /// `a + b`
    Add(Node, Node),
    /// `a - b`
    Sub(Node, Node),
    /// `a * b`
    Mul(Node, Node),
    /// `a / b` of nonnegative numbers, rounded down.
    Div(Node, Node),
    /// `a % b`
    Rem(Node, Node),
    /// `a << n`
    Shl(Node, u32),
    /// `a >> n`
    Shr(Node, u32),
    /// `a & mask`
    And(Node, u128),
    /// `a ^ b`
    Xor(Node, Node),
    /// `a < b`
    Less(Node, Node),
    /// `a == b`
    Equal(Node, Node),
    /// `a && b`
    Both(Node, Node),
}

impl Op {
    /// The operands of the node.
    pub(crate) fn split_items(&self) -> impl Iterator<Item = Node> {
        let (a, b) = match *self {
            Op::Input(_) | Op::Number(_) => (None, None),
            Op::Shl(a, _) | Op::Shr(a, _) | Op::And(a, _) => (Some(a), None),
            Op::Add(a, b) | Op::Sub(a, b) | Op::Mul(a, b) | Op::Div(a, b) | Op::Rem(a, b) => {
                (Some(a), Some(b))
            }
            Op::Xor(a, b) | Op::Less(a, b) | Op::Equal(a, b) | Op::Both(a, b) => (Some(a), Some(b)),
        };
        a.into_iter().chain(b)
    }
}

/// The known range of a node: the least and the largest value, and the bits that may be set. A node
/// that may be negative may have all bits set.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    pub lo: i128,
    pub hi: i128,
    pub bits: u128,
}

impl Range {
    fn of(lo: i128, hi: i128) -> Self {
        let all = if lo < 0 { u128::MAX } else { bits_up_to(hi) };
        Range { lo, hi, bits: all }
    }
    fn with_bits(self, bits: u128) -> Self {
        let bits = self.bits & bits;
        // No number exceeds the number with all of its possible bits.
        let hi = if self.lo < 0 {
            self.hi
        } else {
            self.hi.min(i128::try_from(bits).unwrap_or(i128::MAX))
        };
        Range { bits, hi, ..self }
    }
}

/// All bits up to the highest of `number`.
pub fn bits_up_to(number: i128) -> u128 {
    if number <= 0 { 0 } else { u128::MAX >> number.leading_zeros() }
}

/// Expressions. Equal expressions share a node.
#[derive(Debug, Default)]
pub struct Graph {
    ops: Vec<Op>,
    ranges: Vec<Range>,
    found: HashMap<Op, Node>,
}

impl Graph {
    fn insert_node(&mut self, op: Op, range: Range) -> Node {
        if let Some(&node) = self.found.get(&op) {
            return node;
        }
        let node = Node(self.ops.len() as u32);
        self.ops.push(op.clone());
        self.ranges.push(range);
        self.found.insert(op, node);
        node
    }

    /// The operation of the node.
    pub fn operation_of(&self, node: Node) -> &Op {
        &self.ops[node.0 as usize]
    }
    /// The range of a node's values.
    pub fn range_of(&self, node: Node) -> Range {
        self.ranges[node.0 as usize]
    }
    /// The number, if the node is a constant.
    pub fn number_of(&self, node: Node) -> Option<i128> {
        if let Op::Number(value) = self.operation_of(node) { Some(*value) } else { None }
    }
    /// Narrows the range of the node to these bounds.
    pub fn narrow_range(&mut self, node: Node, lo: i128, hi: i128) {
        let range = &mut self.ranges[node.0 as usize];
        let (lo, hi) = (lo.max(range.lo), hi.min(range.hi));
        *range = Range::of(lo, hi).with_bits(range.bits);
    }

    /// An argument, from `lo` to `hi`.
    pub fn insert_input(&mut self, name: &str, lo: i128, hi: i128) -> Node {
        self.insert_node(Op::Input(name.into()), Range::of(lo, hi))
    }
    /// A number.
    pub fn insert_number(&mut self, value: i128) -> Node {
        self.insert_node(
            Op::Number(value),
            Range { bits: value as u128, ..Range::of(value, value) },
        )
    }

    /// `a + b`
    pub fn add_nodes(&mut self, a: Node, b: Node) -> Node {
        let (x, y) = (self.range_of(a), self.range_of(b));
        match (self.number_of(a), self.number_of(b)) {
            (Some(0), _) => return b,
            (_, Some(0)) => return a,
            _ => {}
        }
        let range = Range::of(x.lo + y.lo, x.hi.saturating_add(y.hi));
        // Without carries the sum sets no other bits; zeros below both operands stay zeros.
        let low = x.bits.trailing_zeros().min(y.bits.trailing_zeros());
        let bits = if x.bits & y.bits == 0 {
            x.bits | y.bits
        } else {
            u128::MAX.checked_shl(low).unwrap_or(0)
        };
        self.insert_node(Op::Add(a, b), range.with_bits(bits))
    }

    /// `a - b`
    pub fn subtract_nodes(&mut self, a: Node, b: Node) -> Node {
        if self.number_of(b) == Some(0) {
            return a;
        }
        let (x, y) = (self.range_of(a), self.range_of(b));
        self.insert_node(Op::Sub(a, b), Range::of(x.lo - y.hi, x.hi - y.lo))
    }

    /// `a * b`
    pub fn multiply_nodes(&mut self, a: Node, b: Node) -> Node {
        let (x, y) = (self.range_of(a), self.range_of(b));
        match (self.number_of(a), self.number_of(b)) {
            (Some(0), _) | (_, Some(1)) => return a,
            (_, Some(0)) | (Some(1), _) => return b,
            (_, Some(times)) if times > 0 && times & (times - 1) == 0 => {
                return self.shift_left(a, times.trailing_zeros());
            }
            _ => {}
        }
        let corners = [(x.lo, y.lo), (x.lo, y.hi), (x.hi, y.lo), (x.hi, y.hi)]
            .map(|(a, b)| a.saturating_mul(b));
        let range = Range::of(
            corners.into_iter().min().unwrap_or(0),
            corners.into_iter().max().unwrap_or(0),
        );
        let low = (x.bits.trailing_zeros() + y.bits.trailing_zeros()).min(127);
        self.insert_node(Op::Mul(a, b), range.with_bits(u128::MAX << low))
    }

    /// `a * times`
    pub fn multiply_number(&mut self, a: Node, times: i128) -> Node {
        let times = self.insert_number(times);
        self.multiply_nodes(a, times)
    }

    /// `a << n`
    pub fn shift_left(&mut self, a: Node, n: u32) -> Node {
        let x = self.range_of(a);
        match *self.operation_of(a) {
            Op::Number(value) => return self.insert_number(value << n),
            Op::Shl(inner, by) => return self.shift_left(inner, by + n),
            _ => {}
        }
        let times = 1i128 << n.min(126);
        let range = Range::of(x.lo.saturating_mul(times), x.hi.saturating_mul(times));
        self.insert_node(Op::Shl(a, n), range.with_bits(x.bits << n))
    }

    /// `a >> n`, of a nonnegative node.
    pub fn shift_right(&mut self, a: Node, n: u32) -> Node {
        let x = self.range_of(a);
        match *self.operation_of(a) {
            _ if n == 0 => return a,
            _ if n >= 128 || x.bits >> n == 0 => return self.insert_number(0),
            Op::Number(value) => return self.insert_number(value >> n),
            Op::Div(inner, by) => {
                if let Some(by) = self.number_of(by) {
                    return self.divide_number(inner, by << n);
                }
            }
            _ => {}
        }
        self.insert_node(Op::Shr(a, n), Range::of(x.lo >> n, x.hi >> n).with_bits(x.bits >> n))
    }

    /// `a & mask`; for a node that may be negative, the lowest bits.
    pub fn mask_bits(&mut self, a: Node, mask: u128) -> Node {
        let x = self.range_of(a);
        match *self.operation_of(a) {
            _ if x.bits & !mask == 0 => return a,
            _ if x.bits & mask == 0 => return self.insert_number(0),
            Op::Number(value) => return self.insert_number(value & mask as i128),
            Op::And(inner, by) => return self.mask_bits(inner, mask & by),
            _ => {}
        }
        // Bits that are never set need not be masked, nor be in the mask.
        let mask = mask & x.bits;
        let hi = if x.lo < 0 { i128::MAX } else { x.hi };
        self.insert_node(Op::And(a, mask), Range::of(0, hi).with_bits(mask))
    }

    /// `a ^ b`, of nonnegative nodes.
    pub fn xor_nodes(&mut self, a: Node, b: Node) -> Node {
        match (self.number_of(a), self.number_of(b)) {
            (Some(0), _) => return b,
            (_, Some(0)) => return a,
            (Some(a), Some(b)) => return self.insert_number(a ^ b),
            _ => {}
        }
        let bits = self.range_of(a).bits | self.range_of(b).bits;
        self.insert_node(
            Op::Xor(a, b),
            Range::of(0, i128::try_from(bits).unwrap_or(i128::MAX)).with_bits(bits),
        )
    }

    /// `a / by` of a nonnegative node, for `by` other than 0.
    pub fn divide_number(&mut self, a: Node, by: i128) -> Node {
        if by & (by - 1) == 0 {
            return self.shift_right(a, by.trailing_zeros());
        }
        let x = self.range_of(a);
        match *self.operation_of(a) {
            _ if x.hi < by => return self.insert_number(0),
            Op::Shr(inner, n) => return self.divide_number(inner, by << n),
            Op::Div(inner, first) => {
                if let Some(first) = self.number_of(first) {
                    return self.divide_number(inner, by.saturating_mul(first));
                }
            }
            _ => {}
        }
        let number = self.insert_number(by);
        self.insert_node(Op::Div(a, number), Range::of(x.lo / by, x.hi / by))
    }

    /// `a % by` of a nonnegative node, for `by` other than 0.
    pub fn remainder_number(&mut self, a: Node, by: i128) -> Node {
        if by & (by - 1) == 0 {
            return self.mask_bits(a, by as u128 - 1);
        }
        if self.range_of(a).hi < by {
            return a;
        }
        let number = self.insert_number(by);
        self.insert_node(Op::Rem(a, number), Range::of(0, by - 1))
    }

    /// `a / b` for a node `b` other than 0.
    pub fn divide_nodes(&mut self, a: Node, b: Node) -> Node {
        if let Some(by) = self.number_of(b) {
            return self.divide_number(a, by);
        }
        let range = Range::of(0, self.range_of(a).hi);
        self.insert_node(Op::Div(a, b), range)
    }

    /// `a % b` for a node `b` other than 0.
    pub fn remainder_nodes(&mut self, a: Node, b: Node) -> Node {
        if let Some(by) = self.number_of(b) {
            return self.remainder_number(a, by);
        }
        let range = Range::of(0, self.range_of(a).hi.min(self.range_of(b).hi - 1));
        self.insert_node(Op::Rem(a, b), range)
    }

    /// `a < b`. The range of an argument does not decide it, since callers may pass any number.
    pub fn compare_less(&mut self, a: Node, b: Node) -> Node {
        self.insert_node(Op::Less(a, b), Range::of(0, 1))
    }

    /// `a == b`; `None` is *yes*.
    pub fn compare_equal(&mut self, a: Node, b: Node) -> Option<Node> {
        (a != b).then(|| self.insert_node(Op::Equal(a, b), Range::of(0, 1)))
    }

    /// The conjunction of two conditions; `None` is *yes*.
    pub fn join_conditions(&mut self, a: Option<Node>, b: Option<Node>) -> Option<Node> {
        match (a, b) {
            (Some(a), Some(b)) if a == b => Some(a),
            (Some(a), Some(b)) => Some(self.insert_node(Op::Both(a, b), Range::of(0, 1))),
            (one, None) | (None, one) => one,
        }
    }

    /// The roots and all nodes that they depend on, each once and after its operands.
    pub fn nodes_reached(&self, roots: &[Node]) -> Vec<Node> {
        let mut seen = vec![false; self.ops.len()];
        roots.iter().for_each(|root| seen[root.0 as usize] = true);
        for at in (0..self.ops.len()).rev() {
            if seen[at] {
                self.ops[at].split_items().for_each(|part| seen[part.0 as usize] = true);
            }
        }
        (0..self.ops.len()).filter(|&at| seen[at]).map(|at| Node(at as u32)).collect()
    }

    /// The approximate number of instructions of the nodes: a division counts as a multiplication
    /// and shifts.
    pub fn count_instructions(&self, roots: &[Node]) -> usize {
        let cost = |node: &Node| match *self.operation_of(*node) {
            Op::Input(_) | Op::Number(_) => 0,
            Op::Div(_, by) => 4 + if self.number_of(by).is_some() { 0 } else { 16 },
            Op::Rem(_, by) => 6 + if self.number_of(by).is_some() { 0 } else { 16 },
            _ => 1,
        };
        self.nodes_reached(roots).iter().map(cost).sum()
    }
}
