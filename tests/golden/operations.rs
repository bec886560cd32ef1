//! The operations of the golden files: a line each, which says how its answers read as types, and how
//! the dynamic engine gives them.

use std::fmt::Display;
use std::str::FromStr;

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

/// Every operation of the golden files.
pub const OPERATIONS: &[Line] = &[
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
    ("coalesce", Operation("Coalesce", "Coalesced"), |a| json!(a.layout(0).coalesce().to_string())),
    ("coalesce_by_mode", ByMode("CoalesceBy", "CoalescedBy"), |a| {
        text(a.layout(0).coalesce_by(&one_for_each_mode(&a.layout(0))))
    }),
    ("filter", Operation("Filter", "Filtered"), |a| json!(a.layout(0).filter().to_string())),
    ("flatten", Operation("Flatten", "Flattened"), |a| json!(a.layout(0).flatten().to_string())),
    ("compose", Operation("Compose", "Composition"), |a| text(a.layout(0).compose(a.tiler(1)))),
    ("compose_by_mode", Operation("Compose", "Composition"), |a| text(a.layout(0).compose(a.tiler(1)))),
    ("complement", Operation("Complement", "ComplementOf"), |a| text(a.layout(0).complement(a.number(1)))),
    ("complement_ceil", Operation("ComplementCeil", "ComplementCeilOf"), |a| {
        text(a.layout(0).complement_ceil(a.number(1)))
    }),
    ("right_inverse", Operation("RightInverse", "RightInverseOf"), |a| json!(a.layout(0).right_inverse().to_string())),
    ("left_inverse", Operation("LeftInverse", "LeftInverseOf"), |a| text(a.layout(0).left_inverse())),
    ("nullspace", Operation("Nullspace", "NullspaceOf"), |a| json!(a.layout(0).nullspace().to_string())),
    ("max_common_layout", Operation("MaxCommonLayout", "MaxCommonLayoutOf"), |a| {
        json!(a.layout(0).max_common_layout(&a.layout(1)).to_string())
    }),
    ("logical_divide", Operation("LogicalDivide", "LogicalDivision"), |a| text(a.layout(0).logical_divide(a.tiler(1)))),
    ("zipped_divide", Operation("ZippedDivide", "ZippedDivision"), |a| text(a.layout(0).zipped_divide(a.tiler(1)))),
    ("tiled_divide", Operation("TiledDivide", "TiledDivision"), |a| text(a.layout(0).tiled_divide(a.tiler(1)))),
    ("flat_divide", Operation("FlatDivide", "FlatDivision"), |a| text(a.layout(0).flat_divide(a.tiler(1)))),
    ("logical_product", Operation("LogicalProduct", "LogicalProductOf"), |a| {
        text(a.layout(0).logical_product(a.tiler(1)))
    }),
    ("zipped_product", Operation("ZippedProduct", "ZippedProductOf"), |a| text(a.layout(0).zipped_product(a.tiler(1)))),
    ("tiled_product", Operation("TiledProduct", "TiledProductOf"), |a| text(a.layout(0).tiled_product(a.tiler(1)))),
    ("flat_product", Operation("FlatProduct", "FlatProductOf"), |a| text(a.layout(0).flat_product(a.tiler(1)))),
    ("blocked_product", Operation("BlockedProduct", "BlockedProductOf"), |a| {
        text(a.layout(0).blocked_product(&a.layout(1)))
    }),
    ("raked_product", Operation("RakedProduct", "RakedProductOf"), |a| text(a.layout(0).raked_product(&a.layout(1)))),
    ("tile_to_shape", Operation("TileToShape", "TileToShapeOf"), |a| text(a.layout(0).tile_to_shape(&a.shape(1)))),
    ("upcast", Operation("Upcast", "Upcasted"), |a| text(a.layout(0).upcast(a.number(1)))),
    ("downcast", Operation("Downcast", "Downcasted"), |a| text(a.layout(0).downcast(a.number(1)))),
    ("swizzle", Swizzled, |a| {
        let (bits, base) = (a.signed(0).unsigned_abs(), a.signed(1).unsigned_abs());
        let swizzle = DynSwizzle::new(bits, base, a.signed(2)).expect("a swizzle");
        json!(swizzle.apply(a.number(3)))
    }),
    ("coalesce_z", Operation("CoalesceZ", "CoalescedZ"), |a| json!(a.layout(0).coalesce_z().to_string())),
    ("layout_add", Operation("LayoutAdd", "LayoutSumOf"), |a| text(a.layout(0).layout_add(&a.layout(1)))),
    ("greatest_common_domain", OfShapes("GreatestCommonDomain", "GreatestCommonDomainOf"), |a| {
        text(a.shape(0).greatest_common_domain(&a.shape(1)))
    }),
];
