//! A function before it is printed: its arguments, its results as nodes of one graph, and their
//! word.

use super::expr::{Graph, Node, Op};
use crate::error::EmitError;
use crate::source::NamedLayout;

/// The type of the numbers of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// 32 or 64.
    pub bits: u32,
}

impl Word {
    pub const NARROW: Word = Word { bits: 32 };
    pub const WIDE: Word = Word { bits: 64 };
    /// The largest number.
    pub fn limit(self) -> i128 {
        (1 << self.bits) - 1
    }
}

/// A function of integers.
#[derive(Debug)]
pub struct Function {
    pub name: String,
    /// The description of the function: lines of a comment.
    pub comment: Vec<String>,
    pub graph: Graph,
    pub word: Word,
    /// The arguments, each with whether it may be negative.
    pub inputs: Vec<(String, bool)>,
    /// The results: their values, and their names if there are several.
    pub values: Vec<(String, Node)>,
    /// Whether values may be negative.
    pub signed: bool,
    /// The condition under which the results are valid, if the function returns it.
    pub inside: Option<Option<Node>>,
}

impl Function {
    /// The nodes that the function computes.
    pub fn result_nodes(&self) -> Vec<Node> {
        self.values.iter().map(|(_, node)| *node).chain(self.inside.flatten()).collect()
    }

    /// Whether the function needs this argument.
    pub fn reads(&self, name: &str) -> bool {
        let is_read =
            |&node: &Node| matches!(self.graph.operation_of(node), Op::Input(read) if read == name);
        self.graph.nodes_reached(&self.result_nodes()).iter().any(is_read)
    }

    /// Whether every number fits its word. Sums and products may wrap if their result fits; an
    /// operand of a division, a right shift or a comparison must fit.
    pub fn fits(&self) -> bool {
        let graph = &self.graph;
        let half = self.word.limit() / 2;
        let is_half =
            |node: Node| graph.range_of(node).lo >= -half - 1 && graph.range_of(node).hi <= half;
        let fits = |node: Node| {
            graph.range_of(node).lo >= 0 && graph.range_of(node).hi <= self.word.limit()
        };
        let whole = |node: &Node| match *graph.operation_of(*node) {
            Op::Add(..) | Op::Sub(..) => true,
            Op::Shl(_, by) => by < self.word.bits,
            Op::Mul(_, by) => graph.number_of(by).is_none_or(|by| by <= self.word.limit()),
            Op::Number(number) => number <= self.word.limit(),
            Op::Input(_) if graph.range_of(*node).lo < 0 => is_half(*node),
            Op::Input(_) => graph.range_of(*node).hi <= self.word.limit(),
            // A number that wraps keeps its lowest bits.
            Op::And(_, mask) if mask <= self.word.limit() as u128 => true,
            Op::Both(..) => true,
            _ => graph.operation_of(*node).split_items().all(fits),
        };
        let ends = |node: Node| if self.signed { is_half(node) } else { fits(node) };
        graph.nodes_reached(&self.result_nodes()).iter().all(whole)
            && self.values.iter().all(|&(_, node)| ends(node))
    }
}

/// `make(32 bits)` if its numbers fit, else `make(64 bits)`; with `bits`, only `make(bits)`.
pub fn fit_narrowest(
    bits: Option<u32>,
    what: &NamedLayout,
    mut make: impl FnMut(Word) -> Result<Function, EmitError>,
) -> Result<Function, EmitError> {
    if let Some(bits) = bits.filter(|bits| ![32, 64].contains(bits)) {
        return EmitError::input(format!("numbers have 32 or 64 bits, not {bits}"));
    }
    for word in [Word::NARROW, Word::WIDE]
        .into_iter()
        .filter(|word| bits.is_none_or(|bits| bits == word.bits))
    {
        let function = make(word)?;
        if function.fits() {
            return Ok(function);
        }
    }
    EmitError::refused(format!("{what} has numbers beyond {} bits", bits.unwrap_or(64)))
}
