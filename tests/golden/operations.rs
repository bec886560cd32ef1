//! The operations of the golden files: of each, how its answers read as types, and how the dynamic engine gives them.
//! Those of the table in `src/operations.rs` need no line here.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::LazyLock;

use layout_algebra::prelude::*;
use serde_json::{Value, json};

/// The files: 150 answers of each of the first operations, 300 of each of the later ones.
pub const GOLDEN: [&str; 2] = [include_str!("golden.jsonl"), include_str!("golden-2.jsonl")];

/// The arguments of one line.
pub struct Args<'a>(pub &'a [Value]);

impl Args<'_> {
    pub fn parse<T: FromStr<Err = LayoutError>>(&self, index: usize) -> T {
        let text = match &self.0[index] {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            other => panic!("an argument is text or a number, and this is {other}"),
        };
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn layout(&self, index: usize) -> DynLayout {
        self.parse(index)
    }

    pub fn shape(&self, index: usize) -> DynShape {
        self.parse(index)
    }

    pub fn tiler(&self, index: usize) -> DynTiler {
        self.parse(index)
    }

    pub fn number(&self, index: usize) -> usize {
        usize::try_from(self.0[index].as_u64().expect("a number")).expect("a number that fits usize")
    }

    pub fn signed(&self, index: usize) -> i32 {
        i32::try_from(self.0[index].as_i64().expect("a number")).expect("a small number")
    }
}

/// An answer as the golden file writes it.
fn text(result: Result<impl Display, LayoutError>) -> Value {
    match result {
        Ok(value) => json!(value.to_string()),
        Err(error) => json!({ "undefined": error.kind().as_str() }),
    }
}

/// The profile of `coalesce_by_mode`: `(1,..,1)`, and `1` for a layout without parentheses.
fn one_for_each_mode(layout: &DynLayout) -> DynShape {
    match layout.depth() {
        0 => DynShape::from(1),
        _ => DynShape::tuple((0..layout.rank()).map(|_| DynShape::from(1))).expect("a mode"),
    }
}

/// How the lines of an operation read as types.
#[derive(Clone, Copy, PartialEq)]
pub enum Reading {
    /// The trait and the alias of an operation: `Alias<Operands..>` is the result, or the first operand does not
    /// implement `Trait<Others..>`.
    Operation(&'static str, &'static str),
    /// The same, where all operands are shapes.
    OfShapes(&'static str, &'static str),
    /// The operation with, as its second operand, the number 1 for each mode of the first.
    ByMode(&'static str, &'static str),
    /// The alias of an operation that is always defined.
    Alias(&'static str),
    /// The trait that holds or does not hold between two shapes.
    Relation(&'static str),
    /// A constant of `StaticLayout`, and the method of the same meaning.
    Constant(&'static str, &'static str),
    /// The offset of a coordinate, given in dynamic and in static numbers.
    Offset,
    /// The coordinate of a number in a shape.
    Coordinate,
    /// What a swizzle makes of an offset.
    Swizzled,
}
pub use Reading::{Alias, ByMode, Constant, Coordinate, OfShapes, Offset, Operation, Relation, Swizzled};

/// An operation: its name, how its answers read as types, and the answer of the dynamic engine.
pub type Line = (&'static str, Reading, fn(&Args<'_>) -> Value);

/// What the golden files ask beside the operations of the table in `src/operations.rs`.
const OTHERS: [Line; 14] = [
    ("size", Constant("SIZE", "size"), |a| json!(a.layout(0).size())),
    ("cosize", Constant("COSIZE", "cosize"), |a| json!(a.layout(0).cosize())),
    ("rank", Constant("RANK", "rank"), |a| json!(a.layout(0).rank())),
    ("depth", Constant("DEPTH", "depth"), |a| json!(a.layout(0).depth())),
    ("index", Offset, |a| json!(a.layout(0).index(a.number(1)))),
    ("index_nested", Offset, |a| json!(a.layout(0).index(&a.shape(1)))),
    ("idx2crd", Coordinate, |a| json!(a.shape(0).coord(a.number(1)).to_string())),
    ("compact_left", Alias("LeftLayout"), |a| json!(DynLayout::left(&a.shape(0)).to_string())),
    ("compact_right", Alias("RightLayout"), |a| json!(DynLayout::right(&a.shape(0)).to_string())),
    ("congruent", Relation("Congruent"), |a| json!(a.shape(0).congruent(&a.shape(1)))),
    ("weakly_congruent", Relation("WeaklyCongruent"), |a| json!(a.shape(0).weakly_congruent(&a.shape(1)))),
    ("compatible", Relation("Compatible"), |a| json!(a.shape(0).compatible(&a.shape(1)))),
    ("coalesce_by_mode", ByMode("CoalesceBy", "CoalescedBy"), |a| {
        text(a.layout(0).coalesce_by(&one_for_each_mode(&a.layout(0))))
    }),
    ("swizzle", Swizzled, |a| {
        let (bits, base) = (a.signed(0).unsigned_abs(), a.signed(1).unsigned_abs());
        let swizzle = DynSwizzle::new(bits, base, a.signed(2)).expect("a swizzle");
        json!(swizzle.apply(a.number(3)))
    }),
];

/// The operations of the table, with right operands as their kinds are.
fn of_the_table() -> Vec<Line> {
    let mut all = Vec::<Line>::new();
    macro_rules! line {
        (
            ($($kind:ident)?) $method:ident $trait:ident $alias:ident $sentence:tt $bound:tt $operand:tt $composed:tt
            $try_method:ident $($docs:tt)*
        ) => {
            line! { @ $($kind)? $method Operation(stringify!($trait), stringify!($alias)), $try_method }
        };
        (@ $right:ident => $method:ident $reading:expr, $try_method:ident) => {
            all.push((stringify!($method), $reading, |a| text(a.layout(0).$try_method(a.$right(1)))));
        };
        (@ $method:ident Operation($($names:tt)*), $try_method:ident) => {
            all.push((stringify!($method), Operation($($names)*), |a| text(a.layout(0).$try_method())));
        };
        (@ tile $($row:tt)*) => { line! { @ tiler => $($row)* } };
        (@ arranged $($row:tt)*) => { line! { @ tiler => $($row)* } };
        (@ tile_and_rest $($row:tt)*) => { line! { @ tiler => $($row)* } };
        (@ number $($row:tt)*) => { line! { @ number => $($row)* } };
        (@ unit $($row:tt)*) => { line! { @ number => $($row)* } };
        (@ paired $($row:tt)*) => { line! { @ layout => $($row)* } };
        (@ layout $($row:tt)*) => { line! { @ layout => $($row)* } };
        (@ shape $($row:tt)*) => { line! { @ shape => $($row)* } };
        (@ profile $($row:tt)*) => { line! { @ shape => $($row)* } };
        // Those that the specification has no answers of.
        (@ sizes $($row:tt)*) => {};
        (@ modes $($row:tt)*) => {};
        (@ domain $method:ident Operation($trait:expr, $alias:expr), $try_method:ident) => {
            all.push((stringify!($method), OfShapes($trait, $alias), |a| text(a.shape(0).$method(&a.shape(1)))));
        };
    }
    operations!(line);
    // The same once more, of tilers that go mode by mode.
    all.push(("compose_by_mode", Operation("Compose", "Composition"), |a| text(a.layout(0).compose(a.tiler(1)))));
    all
}

/// Every operation of the golden files, in the order in which they have them.
pub static OPERATIONS: LazyLock<Vec<Line>> = LazyLock::new(|| {
    let all: Vec<_> = OTHERS.into_iter().chain(of_the_table()).collect();
    let lines = GOLDEN.iter().flat_map(|file| file.lines());
    let names = lines.map(|line| line.split('"').nth(3).expect("an operation, first of all"));
    let mut in_order = Vec::<Line>::new();
    for name in names {
        if in_order.iter().all(|line| line.0 != name) {
            in_order.push(*all.iter().find(|line| line.0 == name).expect("an operation that the table knows"));
        }
    }
    in_order
});
