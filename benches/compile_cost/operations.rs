//! Lists of operations to compile: drawn from a fixed seed, all defined, no two with the same operands.

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
pub const KINDS: [Kind; 5] = [Kind::Compose, Kind::Complement, Kind::Coalesce, Kind::LogicalDivide, Kind::ZippedDivide];

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

// ---- as source ----------------------------------------------------------------------------------------------------

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

fn rust(operations: &[Operation], mut line: impl FnMut(&Operation, &str, &str) -> String) -> String {
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
        writeln!(text, "using A{i} = {left}; using B{i} = {right}; {}", line(operation, i)).unwrap();
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

// ---- drawing ------------------------------------------------------------------------------------------------------

/// A pseudo-random sequence (Knuth's multiplier; the high bits are taken).
pub struct Draw(pub u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
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

/// `count` operations in turns over `kinds`, on left operands of a rank in `ranks` whose largest extent is at least
/// `2^bits` and below `2^(bits + 1)`, with `bits` out of `bits`.
pub fn draw(draw: &mut Draw, kinds: &[Kind], count: usize, ranks: &[usize], bits: &[u32]) -> Vec<Operation> {
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
        Kind::ZippedDivide => {
            left.zipped_divide(format!("<{}>", operation.right).parse::<DynTiler>().expect("a tiler"))
        }
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
            let tile: Vec<_> = extents.iter().map(|&extent| mode(&within(draw, &[extent], true)[0])).collect();
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

/// In each mode of a domain with these extents, some of its numbers at equal steps, from its first one on.
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
            let (shape, stride): (Vec<_>, Vec<_>) = modes.iter().map(|(s, d)| (s.to_string(), d.to_string())).unzip();
            format!("({}):({})", shape.join(","), stride.join(","))
        }
    }
}

fn mode((extent, stride): &(usize, usize)) -> String {
    format!("{extent}:{stride}")
}

// ---- XOR strides beside natural ones ------------------------------------------------------------------------------

/// An operation on layouts of natural strides and on layouts of XOR strides: for each, the source that has the operands,
/// and the one that has the results.
pub struct Pair {
    pub name: &'static str,
    pub natural: [String; 2],
    pub xor: [String; 2],
}

/// What stands on the right.
#[derive(Clone, Copy)]
enum Right {
    Nothing,
    /// A range that the layout spans once, twice or four times.
    Range,
    /// A tile of natural strides.
    Tile,
    /// A tile whose strides are XOR strides where the left ones are natural in both.
    XorTile,
    /// A tiler that takes all of each mode, or half of it.
    Halves,
}

/// `count` of each operation. Extents and strides are powers of two; an XOR layout is the natural one with one lower bit
/// in about half of its strides, as swizzles have them.
pub fn pairs(count: usize) -> Vec<Pair> {
    const FORMS: [(&str, &str, Right); 11] = [
        ("coalesce", "Coalesced", Right::Nothing),
        ("compose", "Composition", Right::Tile),
        ("complement", "ComplementOf", Right::Range),
        ("logical_divide", "LogicalDivision", Right::Tile),
        ("zipped_divide", "ZippedDivision", Right::Halves),
        ("logical_product", "LogicalProductOf", Right::Tile),
        ("right_inverse", "RightInverseOf", Right::Nothing),
        ("left_inverse", "LeftInverseOf", Right::Nothing),
        ("nullspace", "NullspaceOf", Right::Nothing),
        ("compose, XOR on the right", "Composition", Right::XorTile),
        ("logical_divide, XOR on the right", "LogicalDivision", Right::XorTile),
    ];
    // Each draws layouts of its own.
    let seeds = 11..;
    FORMS.into_iter().zip(seeds).map(|((name, alias, right), seed)| pair(seed, name, alias, right, count)).collect()
}

fn pair(seed: u64, name: &'static str, alias: &str, right: Right, count: usize) -> Pair {
    let mut draw = Draw(seed);
    let head = "use layout_algebra::{*, prelude::*};\n";
    let (mut natural, mut xor) = ([head.to_owned(), head.to_owned()], [head.to_owned(), head.to_owned()]);
    let mut seen = HashSet::new();
    while seen.len() < count {
        let extents: Vec<u32> = (0..draw.of(&[1, 2, 2, 3, 3, 4])).map(|_| draw.of(&[1, 2, 3, 3])).collect();
        let modes = ordered_powers(&mut draw, &extents);
        let swizzled: Vec<_> = modes.iter().map(|&mode| with_lower_bit(&mut draw, mode)).collect();
        let [left, swizzled] = [text(&modes, ""), text(&swizzled, "^")];
        // The types have tuples of at most eight modes.
        let inverse =
            swizzled.parse::<DynLayout>().expect("a layout").left_inverse().expect("no two offsets are equal");
        if widest(&inverse.shape().to_string()) > 8 {
            continue;
        }
        let [left, swizzled] = [left, swizzled].map(|text| format!("Layout!({text})"));
        let [of_natural, of_xor] = match right {
            Right::Nothing => [None, None],
            Right::Range => {
                let end = modes.iter().map(|(s, d)| s * d).max().unwrap_or(1);
                let range = format!("Int!({})", end << draw.below(3));
                [Some(range.clone()), Some(range)]
            }
            Right::Tile | Right::XorTile => {
                let tile = tile_of_powers(&mut draw, extents.iter().sum());
                let sign = if matches!(right, Right::XorTile) { "^" } else { "" };
                [text(&tile, ""), text(&tile, sign)].map(|text| Some(format!("Layout!({text})")))
            }
            Right::Halves => {
                let entries: Vec<_> = modes.iter().map(|(s, _)| format!("{}:1", s >> draw.below(2))).collect();
                let tiler = format!("Tiler!({})", entries.join(", "));
                [Some(tiler.clone()), Some(tiler)]
            }
        };
        let of_what = if matches!(right, Right::XorTile) { &left } else { &swizzled };
        if !seen.insert((left.clone(), of_xor.clone())) {
            continue;
        }
        for (sources, left, right) in [(&mut natural, &left, &of_natural), (&mut xor, of_what, &of_xor)] {
            let operands: Vec<_> = [Some(left.as_str()), right.as_deref()].into_iter().flatten().collect();
            writeln!(sources[0], "{}", in_constants(&operands)).unwrap();
            writeln!(sources[1], "{}", in_constants(&[&format!("{alias}<{}>", operands.join(", "))])).unwrap();
        }
    }
    Pair { name, natural, xor }
}

/// Modes of these powers of two, packed in any order, seldom with a gap.
fn ordered_powers(draw: &mut Draw, extents: &[u32]) -> Vec<(usize, usize)> {
    let mut order: Vec<_> = (0..extents.len()).collect();
    draw.shuffle(&mut order);
    let (mut modes, mut bits) = (vec![(1, 0); extents.len()], 0);
    for i in order {
        modes[i] = (1 << extents[i], 1 << bits);
        bits += extents[i] + draw.of(&[0, 0, 0, 1]);
    }
    modes
}

/// A mode of powers of two, or the one whose offsets a swizzle makes of its own: each bit is also one below all of them.
fn with_lower_bit(draw: &mut Draw, (extent, stride): (usize, usize)) -> (usize, usize) {
    let stride = match (stride / extent).checked_ilog2() {
        None => stride,
        Some(highest) => stride | draw.below(2) << draw.below(highest as usize + 1),
    };
    (extent, stride)
}

/// Up to three modes of powers of two within `2^bits` coordinates.
fn tile_of_powers(draw: &mut Draw, bits: u32) -> Vec<(usize, usize)> {
    let mut cuts: Vec<u32> = (0..=bits).collect();
    draw.shuffle(&mut cuts);
    cuts.truncate(4);
    cuts.sort_unstable();
    let mut modes: Vec<_> = cuts.windows(2).map(|cut| (1 << (cut[1] - cut[0]), 1 << cut[0])).collect();
    draw.shuffle(&mut modes);
    modes
}

/// A layout, with a sign before each stride.
fn text(modes: &[(usize, usize)], sign: &str) -> String {
    let strides: Vec<_> = modes.iter().map(|(_, stride)| format!("{sign}{stride}")).collect();
    let extents: Vec<_> = modes.iter().map(|(extent, _)| extent.to_string()).collect();
    match modes {
        [_] => format!("{}:{}", extents[0], strides[0]),
        _ => format!("({}):({})", extents.join(","), strides.join(",")),
    }
}
