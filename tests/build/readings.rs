//! How the golden lines of each operation read as types. Those of the table in `src/operations.rs`
//! need no line here.

/// How the lines of an operation read as types.
#[derive(Clone, Copy, PartialEq)]
pub enum Reading {
    /// The trait and the alias of an operation: `Alias<Operands..>` is the result, or the first
    /// operand does not implement `Trait<Others..>`.
    Operation(&'static str, &'static str),
    /// The operation with, as its second operand, the number 1 for each mode of the first.
    ByMode(&'static str, &'static str),
    /// The alias of an operation that is always defined.
    Alias(&'static str),
    /// The trait that holds or does not hold between two shapes.
    Relation(&'static str),
    /// A constant of `StaticLayout`, and the method of the same meaning.
    Constant(&'static str, &'static str),
    /// A method of a layout that returns a number.
    Number(&'static str),
    /// The offset of a coordinate, given in dynamic and in static numbers.
    Offset,
    /// The coordinate of a number in a shape.
    Coordinate,
    /// What a swizzle makes of an offset.
    Swizzled,
}
use Reading::{Alias, ByMode, Constant, Coordinate, Offset, Operation, Relation, Swizzled};

/// What the golden files ask beside the operations of the table.
const OTHERS: [(&str, Reading); 14] = [
    ("size", Constant("SIZE", "size")),
    ("cosize", Constant("COSIZE", "cosize")),
    ("rank", Constant("RANK", "rank")),
    ("depth", Constant("DEPTH", "depth")),
    ("index", Offset),
    ("index_nested", Offset),
    ("idx2crd", Coordinate),
    ("compact_left", Alias("LeftLayout")),
    ("compact_right", Alias("RightLayout")),
    ("congruent", Relation("Congruent")),
    ("weakly_congruent", Relation("WeaklyCongruent")),
    ("compatible", Relation("Compatible")),
    ("coalesce_by_mode", ByMode("CoalesceBy", "CoalescedBy")),
    ("swizzle", Swizzled),
];

/// What `DynLayout` has and the types do not.
const AT_RUN_TIME_ALONE: [&str; 3] = ["nullspace", "layout_add", "greatest_common_domain"];

/// How the lines of an operation read as types; nothing if the types do not have the operation.
pub fn reading(op: &str) -> Option<Reading> {
    if AT_RUN_TIME_ALONE.contains(&op) {
        return None;
    }
    let other = OTHERS.iter().find(|(name, _)| *name == op).map(|(_, reading)| *reading);
    // A tiler goes mode by mode: `compose_by_mode` is `compose` with one.
    let of_the_table = || {
        of_the_table().find(|(name, _)| *name == op.trim_end_matches("_by_mode")).map(|row| row.1)
    };
    Some(
        other
            .or_else(of_the_table)
            .unwrap_or_else(|| panic!("no reading of the golden lines of {op}")),
    )
}

/// The operations of the table.
fn of_the_table() -> impl Iterator<Item = (&'static str, Reading)> {
    let mut all = Vec::new();
    macro_rules! line {
        (($($kind:ident)?) $method:ident $trait:ident $alias:ident $($rest:tt)*) => {
            all.push((stringify!($method), Operation(stringify!($trait), stringify!($alias))));
        };
    }
    operations!(line);
    all.into_iter()
}
