//! The operations of the algebra, a subcommand each.

use clap::Subcommand;
use layout_algebra::prelude::*;

/// Subcommands of operations: their help, their operands, and the method that each is.
macro_rules! operations {
    ($(
        $(#[$about:meta])*
        $name:ident { $($operand:ident: $type:ty),* } => $result:expr;
    )*) => {
        #[derive(Subcommand)]
        pub enum Operation {
            $(
                $(#[$about])*
                $name { $(#[arg(value_name = value_name(stringify!($operand), stringify!($type)))] $operand: $type),* },
            )*
        }

        impl Operation {
            /// The result as text.
            pub fn run(self) -> Result<String, LayoutError> {
                match self {
                    $(Operation::$name { $($operand),* } => $result.answer(),)*
                }
            }
        }
    };
}

/// What help calls an operand: by its name, and by its type where that says more.
fn value_name(operand: &'static str, kind: &'static str) -> &'static str {
    match (operand, kind) {
        ("layout", _) | (_, "DynLayout") => "LAYOUT",
        (_, "DynTiler") => "TILER",
        ("profile", _) => "PROFILE",
        ("coordinate", _) => "COORDINATE",
        ("order", _) => "ORDER",
        (_, "DynShape") => "SHAPE",
        (_, "DynSlice") => "SLICE",
        _ => "NUMBER",
    }
}

/// What a method gives, whether it always has a result or can fail.
trait Answer {
    fn answer(self) -> Result<String, LayoutError>;
}
macro_rules! answers {
    ($($type:ty)*) => {
        $(impl Answer for $type {
            fn answer(self) -> Result<String, LayoutError> {
                Ok(format!("{self}\n"))
            }
        })*
    };
}
answers! { DynLayout DynShape usize bool }
impl<T: Answer> Answer for Result<T, LayoutError> {
    fn answer(self) -> Result<String, LayoutError> {
        self?.answer()
    }
}
/// A part of a layout, and the offset where it begins.
impl Answer for (DynLayout, usize) {
    fn answer(self) -> Result<String, LayoutError> {
        Ok(format!("{} at offset {}\n", self.0, self.1))
    }
}

operations! {
    /// A o B: R(c) = A(B(c)). B is a layout, a number, or a tiler that goes mode by mode
    Compose { left: DynLayout, right: DynTiler } => left.compose(right);
    /// A cut into tiles: (the tile, which tile), mode by mode for a tiler <..>
    #[command(visible_alias = "logical-divide")]
    Divide { layout: DynLayout, tiler: DynTiler } => layout.logical_divide(tiler);
    /// The same with all modes of the tile in mode 0, and which tile in mode 1
    ZippedDivide { layout: DynLayout, tiler: DynTiler } => layout.zipped_divide(tiler);
    /// The same with the modes of which tile on their own
    TiledDivide { layout: DynLayout, tiler: DynTiler } => layout.tiled_divide(tiler);
    /// The same on one level
    FlatDivide { layout: DynLayout, tiler: DynTiler } => layout.flat_divide(tiler);
    /// Disjoint copies of A, laid out by the layout B
    #[command(visible_alias = "logical-product")]
    Product { layout: DynLayout, tiler: DynTiler } => layout.logical_product(tiler);
    /// The same with all modes of A in mode 0, and which copy in mode 1
    ZippedProduct { layout: DynLayout, tiler: DynTiler } => layout.zipped_product(tiler);
    /// The same with the modes of which copy on their own
    TiledProduct { layout: DynLayout, tiler: DynTiler } => layout.tiled_product(tiler);
    /// The same on one level
    FlatProduct { layout: DynLayout, tiler: DynTiler } => layout.flat_product(tiler);
    /// Copies of A as blocks of coordinates
    BlockedProduct { layout: DynLayout, tile: DynLayout } => layout.blocked_product(&tile);
    /// Copies of A that interleave
    RakedProduct { layout: DynLayout, tile: DynLayout } => layout.raked_product(&tile);
    /// A repeated until it fills a shape
    TileToShape { layout: DynLayout, shape: DynShape } => layout.tile_to_shape(&shape);
    /// Extents grown to whole tiles, strides kept
    RoundUp { layout: DynLayout, tiler: DynTiler } => layout.round_up(tiler);
    /// What is left of 0 .. EXTENT beside the offsets of A
    Complement { layout: DynLayout, extent: usize } => layout.complement(extent);
    /// The same for an extent rounded up to what A spans
    ComplementCeil { layout: DynLayout, extent: usize } => layout.complement_ceil(extent);
    /// The same function in the fewest modes
    Coalesce { layout: DynLayout } => layout.coalesce();
    /// Coalesced within each leaf of a profile, a tuple of which only the parentheses matter
    CoalesceBy { layout: DynLayout, profile: DynShape } => layout.coalesce_by(&profile);
    /// Coalesced, and a last mode of extent 1 stays
    CoalesceZ { layout: DynLayout } => layout.coalesce_z();
    /// The same offsets, without modes of stride 0
    Filter { layout: DynLayout } => layout.filter();
    /// The modes on one level
    Flatten { layout: DynLayout } => layout.flatten();
    /// A(R(i)) = i
    RightInverse { layout: DynLayout } => layout.right_inverse();
    /// R(A(i)) = i where A is injective
    LeftInverse { layout: DynLayout } => layout.left_inverse();
    /// A(R(i)) = 0
    Nullspace { layout: DynLayout } => layout.nullspace();
    /// The largest R with A(R(i)) = B(R(i)) = i
    MaxCommonLayout { left: DynLayout, right: DynLayout } => left.max_common_layout(&right);
    /// How many elements lie next to one another in both
    MaxCommonVector { left: DynLayout, right: DynLayout } => left.max_common_vector(&right);
    /// R(i) = A(i) + B(i) for layouts of one size
    #[command(visible_alias = "layout-add")]
    Add { left: DynLayout, right: DynLayout } => left.layout_add(&right);
    /// Factors that both shapes have at the same place
    GreatestCommonDomain { left: DynLayout, right: DynLayout } => left.greatest_common_domain(&right);
    /// The layout in units of so many elements
    Upcast { layout: DynLayout, unit: usize } => layout.upcast(unit);
    /// The layout in parts of an element
    Downcast { layout: DynLayout, parts: usize } => layout.downcast(parts);
    /// The layout of elements of one size seen as elements of another size
    Recast { layout: DynLayout, from: usize, to: usize } => layout.recast(from, to);
    /// The same offsets under another shape of the same size
    WithShape { layout: DynLayout, shape: DynShape } => layout.with_shape(&shape);
    /// A mode, counted from 0
    Mode { layout: DynLayout, mode: usize } => layout.mode(mode);
    /// The modes from FIRST to below LAST
    Take { layout: DynLayout, first: usize, last: usize } => layout.take(first, last);
    /// The modes from FIRST to below LAST as one
    Group { layout: DynLayout, first: usize, last: usize } => layout.group(first, last);
    /// A mode's own modes in its place
    Ungroup { layout: DynLayout, mode: usize } => layout.ungroup(mode);
    /// A layout as one more mode at the end
    Append { layout: DynLayout, mode: DynLayout } => layout.append(&mode);
    /// A layout as one more mode at the beginning
    Prepend { layout: DynLayout, mode: DynLayout } => layout.prepend(&mode);
    /// Another layout in the place of a mode
    Replace { layout: DynLayout, mode: usize, with: DynLayout } => layout.replace(mode, &with);
    /// The modes from the last to the first
    Reverse { layout: DynLayout } => layout.reverse();
    /// Both modes of a matrix exchanged
    Transpose { layout: DynLayout } => layout.transpose();
    /// What is left where a coordinate is fixed, `_` or a range kept: '(1,_)', '(0..2,_)'
    Slice { layout: DynLayout, at: DynSlice } => layout.slice(&at);
    /// The offset of a coordinate: a number, or a tuple
    Index { layout: DynLayout, coordinate: DynShape } => layout.try_index(&coordinate);
    /// The coordinate of a number in a shape
    Coordinate { shape: DynShape, number: usize } => shape.try_coord(number);
    /// The compact layout of a shape, the leftmost mode the fastest (column-major)
    Left { shape: DynShape } => DynLayout::try_left(&shape);
    /// The compact layout of a shape, the rightmost mode the fastest (row-major)
    Right { shape: DynShape } => DynLayout::try_right(&shape);
    /// The compact layout of a shape, modes in the order of a tuple of numbers
    Ordered { shape: DynShape, order: DynShape } => DynLayout::ordered(&shape, &order);
}
