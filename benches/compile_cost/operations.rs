//! Lists of operations to compile: drawn from a fixed seed, all defined, no two with the same
//! operands.

use std::collections::HashSet;
use std::fmt::Write;

use layout_algebra::prelude::*;

/// What is compiled once per operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Coalesce,
    Compose,
    Complement,
    LogicalDivide,
    ZippedDivide,
}
pub const KINDS: [Kind; 5] =
    [Kind::Compose, Kind::Complement, Kind::Coalesce, Kind::LogicalDivide, Kind::ZippedDivide];

impl Kind {
    /// The name of the method.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Coalesce => "coalesce",
            Kind::Compose => "compose",
            Kind::Complement => "complement",
            Kind::LogicalDivide => "logical_divide",
            Kind::ZippedDivide => "zipped_divide",
        }
    }
}

/// An operation with its operands, as text that both the macros and `DynLayout` read.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Operation {
    pub kind: Kind,
    pub left: String,
    /// A layout, a number, or the entries of a tiler.
    pub right: String,
}

// ---- as source ----------------------------------------------------------------------------------

/// Each operand in a constant of its own.
pub fn rust_operands(operations: &[Operation]) -> String {
    rust(operations, |operation, left, right| match operation.kind {
        Kind::Coalesce => in_constants(&[left]),
        _ => in_constants(&[left, right]),
    })
}

/// The result of each operation in a constant of its own: the type is worked out once.
pub fn rust_results(operations: &[Operation]) -> String {
    rust(operations, |operation, left, right| in_constants(&[&result(operation, left, right)]))
}

/// The result of each operation as a parameter of a function: rustc works the type out twice, for
/// the signature and for the body.
pub fn rust_parameters(operations: &[Operation]) -> String {
    let mut i = 0;
    rust(operations, |operation, left, right| {
        i += 1;
        format!("pub fn f{i}(_: {}) {{}}", result(operation, left, right))
    })
}

fn in_constants(types: &[&str]) -> String {
    types.iter().map(|it| format!("const _: usize = size_of::<{it}>();")).collect()
}

fn result(operation: &Operation, left: &str, right: &str) -> String {
    match operation.kind {
        Kind::Coalesce => format!("Coalesced<{left}>"),
        Kind::Compose => format!("Composition<{left}, {right}>"),
        Kind::Complement => format!("ComplementOf<{left}, {right}>"),
        Kind::LogicalDivide => format!("LogicalDivision<{left}, {right}>"),
        Kind::ZippedDivide => format!("ZippedDivision<{left}, {right}>"),
    }
}

fn rust(
    operations: &[Operation],
    mut line: impl FnMut(&Operation, &str, &str) -> String,
) -> String {
    let mut text = "use layout_algebra::prelude::*;\n".to_owned();
    for operation in operations {
        let left = format!("Layout!({})", operation.left);
        let right = match operation.kind {
            Kind::Complement => format!("Int!({})", operation.right),
            Kind::ZippedDivide => format!("Tiler!({})", operation.right),
            _ => format!("Layout!({})", operation.right),
        };
        writeln!(text, "{}", line(operation, &left, &right)).unwrap();
    }
    text
}

/// The operands of each operation in CuTe C++, one line each after the first one.
pub fn cute_operands(operations: &[Operation]) -> String {
    cute(operations, |operation, i| match operation.kind {
        Kind::Coalesce => format!("static_assert(sizeof(A{i}) > 0);"),
        _ => format!("static_assert(sizeof(A{i}) > 0 && sizeof(B{i}) > 0);"),
    })
}

/// The result of each operation in CuTe C++, one line each after the first one.
pub fn cute_results(operations: &[Operation]) -> String {
    cute(operations, |operation, i| match operation.kind {
        Kind::Coalesce => format!("using R{i} = decltype(coalesce(A{i}{{}}));"),
        Kind::Compose => format!("using R{i} = decltype(composition(A{i}{{}}, B{i}{{}}));"),
        _ => format!("using R{i} = decltype({}(A{i}{{}}, B{i}{{}}));", operation.kind.name()),
    })
}

fn cute(operations: &[Operation], line: impl Fn(&Operation, usize) -> String) -> String {
    let mut text = "#include <cute/layout.hpp>\nusing namespace cute;\n".to_owned();
    for (i, operation) in operations.iter().enumerate() {
        let left = cute_layout(&operation.left);
        let right = match operation.kind {
            Kind::Coalesce => "void".to_owned(),
            Kind::Complement => cute_tuple(&operation.right),
            Kind::ZippedDivide => {
                let entries: Vec<_> = operation.right.split(", ").map(cute_layout).collect();
                format!("Tile<{}>", entries.join(","))
            }
            _ => cute_layout(&operation.right),
        };
        writeln!(text, "using A{i} = {left}; using B{i} = {right}; {}", line(operation, i))
            .unwrap();
    }
    text
}
/// Lines of [`cute`] before the first operation.
pub const CUTE_HEAD: usize = 2;

fn cute_layout(text: &str) -> String {
    let (shape, stride) = text.split_once(':').expect("a layout has a colon");
    format!("Layout<{},{}>", cute_tuple(shape), cute_tuple(stride))
}

/// `(2,(3,4))` as `tuple<C<2L>,tuple<C<3L>,C<4L>>>`.
fn cute_tuple(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, tail) = rest.split_at(digits.max(1));
        match c {
            '(' => out.push_str("cute::tuple<"),
            ')' => out.push('>'),
            _ if digits > 0 => write!(out, "C<{number}L>").unwrap(),
            _ => out.push(c),
        }
        rest = tail;
    }
    out
}

// ---- drawing ------------------------------------------------------------------------------------

/// A pseudo-random sequence (Knuth's multiplier; the high bits are taken).
pub struct Draw(pub u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
    /// A divisor of a number, seldom 1.
    fn factor(&mut self, number: usize) -> usize {
        const PRIMES: [usize; 16] = [2, 2, 2, 2, 3, 5, 7, 2, 2, 2, 2, 2, 2, 2, 2, 2];
        let (mut rest, mut factor) = (number, 1);
        for prime in PRIMES.into_iter().chain(PRIMES) {
            if rest % prime == 0 && self.below(2) == 0 {
                rest /= prime;
                factor *= prime;
            }
        }
        factor
    }
}

/// `count` operations in turns over `kinds`, on left operands of a rank in `ranks` whose largest
/// extent is at least `2^bits` and below `2^(bits + 1)`, with `bits` out of `bits`.
pub fn draw(
    draw: &mut Draw,
    kinds: &[Kind],
    count: usize,
    ranks: &[usize],
    bits: &[u32],
) -> Vec<Operation> {
    let (mut operations, mut seen) = (Vec::with_capacity(count), HashSet::new());
    let mut tries = 0;
    while operations.len() < count {
        tries += 1;
        assert!(
            tries < 1000 * (count + 1),
            "too few operations of {kinds:?} are defined on ranks {ranks:?}, bits {bits:?}"
        );
        let kind = kinds[operations.len() % kinds.len()];
        let (rank, bits) = (draw.of(ranks), draw.of(bits));
        let operation = candidate(draw, kind, rank, bits);
        if fits(&operation) && seen.insert(operation.clone()) {
            operations.push(operation);
        }
    }
    operations
}

/// The operation is defined, by the dynamic engine, and its result fits the types.
fn fits(operation: &Operation) -> bool {
    let left: DynLayout = operation.left.parse().expect("a layout");
    let tile = || operation.right.parse::<DynTiler>().expect("a tiler");
    let result = match operation.kind {
        Kind::Coalesce => Ok(left.coalesce()),
        Kind::Compose => left.compose(tile()),
        Kind::Complement => left.complement(operation.right.parse().expect("a number")),
        Kind::LogicalDivide => left.logical_divide(tile()),
        Kind::ZippedDivide => left
            .zipped_divide(format!("<{}>", operation.right).parse::<DynTiler>().expect("a tiler")),
    };
    result.is_ok_and(|result| widest(&result.shape().to_string()) <= 8)
}

/// The number of modes of the widest tuple in a printed shape.
fn widest(shape: &str) -> usize {
    let (mut open, mut widest) = (vec![1], 1);
    for c in shape.chars() {
        match c {
            '(' => open.push(1),
            ')' => widest = widest.max(open.pop().unwrap_or(0)),
            ',' => *open.last_mut().expect("a level") += 1,
            _ => {}
        }
    }
    widest
}

fn candidate(draw: &mut Draw, kind: Kind, rank: usize, bits: u32) -> Operation {
    let mut extents: Vec<usize> = (1..rank).map(|_| draw.of(&[2, 3, 4])).collect();
    let unit = bits.saturating_sub(3);
    extents.insert(draw.below(rank), (8 + draw.below(8)) << unit >> (3 - (bits - unit)));
    let (left, right) = match kind {
        Kind::Coalesce => (layout(&ordered(draw, &extents, &[1, 1, 2])), String::new()),
        Kind::Complement => {
            let modes = ordered(draw, &extents, &[1, 1, 2]);
            let end = modes.iter().map(|(extent, stride)| extent * stride).max().unwrap_or(1);
            (layout(&modes), (end * (1 + draw.below(8))).to_string())
        }
        Kind::Compose | Kind::LogicalDivide => {
            let mut tile = within(draw, &extents, kind == Kind::Compose || rank < 5);
            if kind == Kind::Compose {
                draw.shuffle(&mut tile);
            }
            (layout(&ordered(draw, &extents, &[1, 1, 3])), layout(&tile))
        }
        Kind::ZippedDivide => {
            let tile: Vec<_> =
                extents.iter().map(|&extent| mode(&within(draw, &[extent], true)[0])).collect();
            (layout(&ordered(draw, &extents, &[1, 1, 3])), tile.join(", "))
        }
    };
    Operation { kind, left, right }
}

/// Modes with these extents, packed in any order, with a gap below each out of `gaps`.
fn ordered(draw: &mut Draw, extents: &[usize], gaps: &[usize]) -> Vec<(usize, usize)> {
    let mut order: Vec<_> = (0..extents.len()).collect();
    if draw.below(2) == 0 {
        draw.shuffle(&mut order);
    }
    let (mut modes, mut end) = (vec![(1, 0); extents.len()], 1);
    for i in order {
        end *= draw.of(gaps);
        modes[i] = (extents[i], end);
        end *= extents[i];
    }
    modes
}

/// In each mode of a domain with these extents, some of its numbers at equal steps, from its first
/// one on.
fn within(draw: &mut Draw, extents: &[usize], steps: bool) -> Vec<(usize, usize)> {
    let mut below = 1;
    let mode = |&extent: &usize| {
        let taken = draw.factor(extent);
        let step = if steps { draw.factor(extent / taken) } else { 1 };
        let mode = (taken, if taken == 1 { 0 } else { step * below });
        below *= extent;
        mode
    };
    extents.iter().map(mode).collect()
}

fn layout(modes: &[(usize, usize)]) -> String {
    match modes {
        [only] => mode(only),
        _ => {
            let (shape, stride): (Vec<_>, Vec<_>) =
                modes.iter().map(|(s, d)| (s.to_string(), d.to_string())).unzip();
            format!("({}):({})", shape.join(","), stride.join(","))
        }
    }
}

fn mode((extent, stride): &(usize, usize)) -> String {
    format!("{extent}:{stride}")
}
