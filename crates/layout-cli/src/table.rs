//! The rows: one for each operation.

use std::num::ParseIntError;
use std::str::FromStr;

use layout_algebra::prelude::*;

use crate::either;
use crate::value::{Answer, AnyLayout, Part, Value, read_layout};

/// The kind of an operand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A layout, swizzled or not.
    AnyLayout,
    /// A layout that is not swizzled.
    Layout,
    /// A layout, a number or a tiler.
    Tile,
    /// Numbers in parentheses.
    Shape,
    /// A number.
    Number,
    /// Numbers of modes: a number, or a tuple of numbers.
    Modes,
    /// A coordinate, with `_` or a range for modes that are kept.
    Slice,
    /// A swizzle.
    Swizzle,
}

impl Kind {
    /// Parses an operand of this kind.
    ///
    /// # Errors
    /// The error if the text does not parse as this kind.
    pub fn read(self, text: &str) -> Result<Value, String> {
        fn of<T: FromStr<Err = LayoutError>>(text: &str) -> Result<T, String> {
            text.parse().map_err(|error: LayoutError| error.to_string())
        }
        Ok(match self {
            Kind::AnyLayout => Value::Layout(of(text)?),
            Kind::Layout => Value::Layout(AnyLayout::Plain(
                read_layout(text).map_err(|error| error.to_string())?,
            )),
            Kind::Tile => Value::Tile(of(text)?),
            Kind::Shape => Value::Shape(of(text)?),
            Kind::Number => {
                Value::Number(text.parse().map_err(|error: ParseIntError| error.to_string())?)
            }
            Kind::Modes => match of::<DynShape>(text)? {
                modes if modes.depth() < 2 => Value::Shape(modes),
                _ => return Err("numbers of modes are on one level: (1,0)".into()),
            },
            Kind::Slice => Value::Slice(of(text)?),
            Kind::Swizzle => Value::Swizzle(of(text)?),
        })
    }
}

/// An operand of an operation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// The name in the help.
    pub name: &'static str,
    /// The kind.
    pub kind: Kind,
}

/// The form of an operation in Rust.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    /// `Alias<A, B>`, and a method with the name of the row.
    Alias(&'static str),
    /// The same, with numbers as const parameters: `Taken<A, 0, 2>`, `a.take::<0, 2>()`.
    Indexed(&'static str),
    /// `Alias<Shape>`: `LeftLayout<Shape!((4, 6))>`.
    OfShape(&'static str),
    /// `A::SIZE`.
    Constant(&'static str),
    /// `A: Congruent<B>`.
    Relation(&'static str),
    /// Only values have the operation.
    Method,
    /// A method of `DynLayout` or `DynShape` alone: types do not have it.
    Dynamic,
}

/// The elements of the operands and of the result that correspond.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Link {
    /// Elements with the same offset.
    Offset,
    /// Elements with the same offset, and elements of the right operand and the result with the
    /// same index: `R(c) = A(B(c))`.
    Composition,
    /// An offset of the result is an index of the operand: `A(R(i)) = i`.
    Inverse,
    /// Elements with the same index.
    Index,
    /// None.
    Nothing,
}

/// An operation.
pub struct Operation {
    /// The library's name.
    pub name: &'static str,
    /// Other names: short ones, and CuTe's.
    pub others: &'static [&'static str],
    /// The group.
    pub group: &'static str,
    /// The law, or the meaning of the answer.
    pub law: &'static str,
    /// Its operands.
    pub operands: &'static [Parameter],
    /// Example operands after the first one.
    pub example: &'static str,
    /// The form in Rust.
    pub form: Form,
    /// The verb of the compile error: `cannot ..`.
    pub verb: &'static str,
    /// The corresponding elements.
    pub link: Link,
    /// The implementation; `None` for operands of other kinds.
    pub call: fn(&[Value]) -> Option<Result<Value, LayoutError>>,
}

/// The row of this name.
pub fn find(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|row| row.name == name || row.others.contains(&name))
}

/// A tile, and the offset of its start.
fn local_tile(layout: &AnyLayout, tiler: &DynTiler, at: &DynSlice) -> Result<Value, LayoutError> {
    let at = DynSlice::tuple([DynSlice::keep(), at.clone()])?;
    either!(layout, layout => layout.zipped_divide(tiler)?.slice(&at).answer())
}

/// The name of an operation with the least edit distance to this one.
pub fn nearest(name: &str) -> &'static str {
    let names =
        OPERATIONS.iter().flat_map(|row| [row.name].into_iter().chain(row.others.iter().copied()));
    names.min_by_key(|known| distance(known, name)).unwrap_or_default()
}

/// The edit distance of two words.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=one.len()).collect();
    for (i, letter) in other.bytes().take(64).enumerate() {
        let mut before = std::mem::replace(&mut row[0], i + 1);
        for (j, known) in one.bytes().enumerate() {
            let kept = before + usize::from(known != letter);
            before = std::mem::replace(&mut row[j + 1], kept);
            row[j + 1] = kept.min(before + 1).min(row[j] + 1);
        }
    }
    row[one.len()] + other.len().saturating_sub(64)
}

/// The type of an operand of a kind.
macro_rules! of_kind {
    (AnyLayout) => {
        &AnyLayout
    };
    (Layout) => {
        &DynLayout
    };
    (Tile) => {
        &DynTiler
    };
    (Shape) => {
        &DynShape
    };
    (Number) => {
        usize
    };
    (Modes) => {
        &DynShape
    };
    (Slice) => {
        &DynSlice
    };
    (Swizzle) => {
        DynSwizzle
    };
}

/// The rows, in groups. A row is
///
/// ```text
/// name(operand: Kind, ..) | other, names; "law", "example", form, "verb", link => implementation
/// ```
macro_rules! operations {
    ($($group:literal: $(
        $name:ident($($operand:ident: $kind:ident),*) $(| $($other:ident),+)?;
        $law:literal, $example:literal, $form:expr, $verb:literal, $link:ident => $work:expr;
    )*)*) => {
        /// All operations.
        pub static OPERATIONS: &[Operation] = &[$($(
            Operation {
                name: stringify!($name),
                others: &[$($(stringify!($other)),+)?],
                group: $group,
                law: $law,
                operands: &[$(Parameter { name: stringify!($operand), kind: Kind::$kind }),*],
                example: $example,
                form: $form,
                verb: $verb,
                link: Link::$link,
                call: |values| {
                    let [$($operand),*] = values else { return None };
                    $(let $operand = <of_kind!($kind) as Part>::of($operand)?;)*
                    Some($work.answer())
                },
            },
        )*)*];
    };
}

/// Applies an expression to either kind of layout, with a [`Value`] as the result.
macro_rules! each {
    ($layout:ident => $work:expr) => {
        either!($layout, $layout => $work.answer())
    };
}

use Form::{Alias, Constant, Dynamic, Indexed, Method, OfShape, Relation};

operations! {
    "Compose and divide":
    compose(layout: AnyLayout, tiler: Tile) | composition;
        "R(c) = A(B(c)). B is a layout, a number, or a tiler that goes mode by mode",
        "<2,3>", Alias("Composition"), "compose",
            Composition => each!(layout => layout.compose(tiler));
    logical_divide(layout: AnyLayout, tiler: Tile) | divide;
        "R = A o (T, complement(T, size(A))): the tile and the rest",
        "<2,3>", Alias("LogicalDivision"), "divide",
            Offset => each!(layout => layout.logical_divide(tiler));
    zipped_divide(layout: AnyLayout, tiler: Tile);
        "mode 0 is the tile of all modes, mode 1 is the rest",
        "<2,3>", Alias("ZippedDivision"), "divide",
            Offset => each!(layout => layout.zipped_divide(tiler));
    tiled_divide(layout: AnyLayout, tiler: Tile);
        "zipped_divide with the rest as modes of its own",
        "<2,3>", Alias("TiledDivision"), "divide",
            Offset => each!(layout => layout.tiled_divide(tiler));
    flat_divide(layout: AnyLayout, tiler: Tile);
        "zipped_divide on one level",
        "<2,3>", Alias("FlatDivision"), "divide",
            Offset => each!(layout => layout.flat_divide(tiler));
    local_tile(layout: AnyLayout, tiler: Tile, at: Slice);
        "one tile of the zipped_divide, at a coordinate of the rest, and its offset",
        "<2,3>,(1,0)", Method, "tile", Offset => local_tile(layout, tiler, at);
    round_up(layout: AnyLayout, tiler: Tile);
        "extents grown to whole tiles, strides kept",
        "<4,4>", Alias("RoundedUp"), "round up",
            Offset => layout.on_inner(|layout| layout.round_up(tiler));

    "Multiply":
    logical_product(layout: AnyLayout, tiler: Tile) | product;
        "disjoint copies of A, laid out by T",
        "2:1", Alias("LogicalProductOf"), "multiply",
            Offset => each!(layout => layout.logical_product(tiler));
    zipped_product(layout: AnyLayout, tiler: Tile);
        "mode 0 is A, mode 1 is the layout of the copies",
        "(2,2):(1,2)", Alias("ZippedProductOf"), "multiply",
            Offset => each!(layout => layout.zipped_product(tiler));
    tiled_product(layout: AnyLayout, tiler: Tile);
        "zipped_product with the copies as modes of their own",
        "(2,2):(1,2)", Alias("TiledProductOf"), "multiply",
            Offset => each!(layout => layout.tiled_product(tiler));
    flat_product(layout: AnyLayout, tiler: Tile);
        "zipped_product on one level",
        "(2,2):(1,2)", Alias("FlatProductOf"), "multiply",
            Offset => each!(layout => layout.flat_product(tiler));
    blocked_product(layout: AnyLayout, grid: Layout);
        "copies of A as blocks",
        "(2,2):(1,2)", Alias("BlockedProductOf"), "multiply",
            Offset => each!(layout => layout.blocked_product(grid));
    raked_product(layout: AnyLayout, grid: Layout);
        "copies of A, interleaved",
        "(2,2):(1,2)", Alias("RakedProductOf"), "multiply",
            Offset => each!(layout => layout.raked_product(grid));
    tile_to_shape(layout: AnyLayout, shape: Shape);
        "A repeated until it fills a shape",
        "(8,12)", Alias("TileToShapeOf"), "tile the shape",
            Offset => each!(layout => layout.tile_to_shape(shape));

    "Simplify and invert":
    coalesce(layout: AnyLayout);
        "R(i) = A(i) for i < size(A), in the fewest modes",
        "", Alias("Coalesced"), "coalesce", Offset => each!(layout => layout.coalesce());
    coalesce_z(layout: AnyLayout);
        "R(i) = A(i) for all i: a last mode of extent 1 stays",
        "", Alias("CoalescedZ"), "coalesce",
            Offset => layout.on_inner(|layout| Ok(layout.coalesce_z()));
    coalesce_by(layout: AnyLayout, profile: Shape);
        "coalesce within each leaf of a profile, whose numbers do not matter",
        "(1,1)", Alias("CoalescedBy"), "coalesce",
            Offset => each!(layout => layout.coalesce_by(profile));
    filter(layout: AnyLayout);
        "the same offsets, without modes of stride 0",
        "", Alias("Filtered"), "filter", Offset => layout.on_inner(|layout| Ok(layout.filter()));
    filter_by(layout: AnyLayout, profile: Shape);
        "filter within each leaf of a profile, whose numbers do not matter",
        "(1,1)", Alias("FilteredBy"), "filter",
            Offset => layout.on_inner(|layout| layout.filter_by(profile));
    complement(layout: AnyLayout, extent: Number);
        "(A, R) is a bijection onto 0..M",
        "24", Alias("ComplementOf"), "take the complement",
            Nothing => layout.in_bits().and_then(|layout| layout.complement(extent));
    complement_ceil(layout: AnyLayout, extent: Number);
        "complement in M rounded up to what A spans",
        "24", Alias("ComplementCeilOf"), "take the complement",
            Nothing => layout.in_bits().and_then(|layout| layout.complement_ceil(extent));
    right_inverse(layout: AnyLayout);
        "A(R(i)) = i",
        "", Alias("RightInverseOf"), "invert", Inverse => layout.right_inverse();
    left_inverse(layout: AnyLayout);
        "R(A(i)) = i",
        "", Alias("LeftInverseOf"), "take the left inverse", Inverse => layout.left_inverse();
    nullspace(layout: AnyLayout);
        "A(R(i)) = 0",
        "", Dynamic, "invert", Inverse => layout.in_bits().map(|layout| layout.nullspace());
    max_common_layout(layout: AnyLayout, other: Layout);
        "an R with A(R(i)) = B(R(i)) = i, along B's right inverse",
        "(4,6):(1,4)", Alias("MaxCommonLayoutOf"), "take the common layout",
            Nothing => layout.in_bits().map(|layout| layout.max_common_layout(other));
    max_common_vector(layout: AnyLayout, other: Layout);
        "the size of the max_common_layout: how many elements are contiguous in both",
        "(4,6):(1,4)", Method, "",
            Offset => layout.in_bits().map(|layout| layout.max_common_vector(other));
    layout_add(layout: AnyLayout, other: Layout) | add;
        "R(i) = A(i) + B(i)",
        "(4,6):(6,1)", Dynamic, "add",
            Index => layout.in_bits().and_then(|layout| layout.layout_add(other));
    greatest_common_domain(shape: Shape, other: Shape);
        "factors that both shapes have at the same place",
        "(2,12)", Dynamic, "take the common domain", Nothing => shape.greatest_common_domain(other);

    "Recast":
    upcast(layout: AnyLayout, elements: Number);
        "the same memory in units of n elements",
        "2", Alias("Upcasted"), "upcast", Nothing => each!(layout => layout.upcast(elements));
    downcast(layout: AnyLayout, parts: Number);
        "the same memory in n parts of each element",
        "2", Alias("Downcasted"), "downcast", Nothing => each!(layout => layout.downcast(parts));
    recast(layout: AnyLayout, from: Number, to: Number) | recast_layout;
        "elements of one size seen as elements of another",
        "16,32", Alias("Recasted"), "recast", Nothing => each!(layout => layout.recast(from, to));

    "Modes":
    flatten(layout: AnyLayout);
        "all modes on one level",
        "", Alias("Flattened"), "flatten", Offset => each!(layout => layout.flatten());
    transpose(layout: AnyLayout);
        "the two modes exchanged",
        "", Alias("Transposed"), "transpose",
            Offset => layout.on_inner(|layout| layout.transpose());
    reverse(layout: AnyLayout);
        "the modes from last to first, each as it is",
        "", Alias("Reversed"), "reverse", Offset => layout.on_inner(|layout| Ok(layout.reverse()));
    layout_like(layout: Layout);
        "the compact layout of the same shape, its modes in the order of A's strides",
        "", Alias("LayoutLikeOf"), "make a layout like", Index => layout.layout_like();
    select(layout: AnyLayout, modes: Modes);
        "these modes in this order",
        "(1,0)", Alias("Selected"), "select modes",
            Offset => layout.on_inner(|layout| layout.select(modes.leaves()));
    mode(layout: AnyLayout, mode: Number);
        "one mode, counted from 0",
        "0", Indexed("ModeAt"), "take a mode",
            Offset => layout.on_inner(|layout| layout.mode(mode));
    take(layout: AnyLayout, first: Number, last: Number);
        "modes first to last - 1",
        "0,2", Indexed("Taken"), "take modes",
            Offset => layout.on_inner(|layout| layout.take(first, last));
    group(layout: AnyLayout, first: Number, last: Number);
        "modes first to last - 1 as one",
        "0,2", Indexed("Grouped"), "group modes",
            Offset => layout.on_inner(|layout| layout.group(first, last));
    ungroup(layout: AnyLayout, mode: Number);
        "the modes of one mode in its place",
        "0", Indexed("Ungrouped"), "ungroup",
            Offset => layout.on_inner(|layout| layout.ungroup(mode));
    append(layout: AnyLayout, mode: Layout);
        "one more mode at the end",
        "2:24", Alias("Appended"), "append",
            Offset => layout.on_inner(|layout| layout.append(mode));
    prepend(layout: AnyLayout, mode: Layout);
        "one more mode at the beginning",
        "2:24", Alias("Prepended"), "prepend",
            Offset => layout.on_inner(|layout| layout.prepend(mode));
    replace(layout: AnyLayout, mode: Number, with: Layout);
        "another layout in the place of a mode",
        "0,2:24", Method, "replace", Offset => layout.on_inner(|layout| layout.replace(mode, with));
    with_shape(layout: AnyLayout, shape: Shape);
        "A o left(shape): the same offsets under another shape",
        "(12,2)", Alias("WithShapeOf"), "take the shape", Offset => layout.with_shape(shape);
    slice(layout: AnyLayout, at: Slice);
        "R(x) + offset = A(c with x in the place of _)",
        "(1,_)", Method, "slice", Offset => each!(layout => layout.slice(at));

    "From a shape":
    left(shape: Shape) | compact_left, make_layout;
        "strides from the left: column-major",
        "", OfShape("LeftLayout"), "lay out shape", Offset => DynLayout::try_left(shape);
    right(shape: Shape) | compact_right;
        "strides from the right: row-major",
        "", OfShape("RightLayout"), "lay out shape", Offset => DynLayout::try_right(shape);
    with_strides(shape: Shape, stride: Shape);
        "index(c) = sum c_k * d_k, with strides d",
        "(1,4)", Dynamic, "lay out shape", Offset => DynLayout::new(shape, stride.clone());
    ordered(shape: Shape, order: Shape) | make_ordered_layout;
        "strides in the order given",
        "(1,0)", Dynamic, "lay out shape", Offset => DynLayout::ordered(shape, order);

    "Questions":
    size(layout: AnyLayout);
        "the number of coordinates",
        "", Constant("SIZE"), "", Offset => layout.size();
    cosize(layout: AnyLayout);
        "one past the largest offset",
        "", Constant("COSIZE"), "", Offset => layout.try_cosize();
    rank(layout: AnyLayout);
        "the number of modes",
        "", Constant("RANK"), "", Offset => layout.strided().rank();
    depth(layout: AnyLayout);
        "the depth of nesting of the modes",
        "", Constant("DEPTH"), "", Offset => layout.strided().depth();
    index(layout: AnyLayout, coordinate: Shape) | crd2idx;
        "the offset of a coordinate",
        "(1,2)", Method, "", Offset => match layout {
            AnyLayout::Plain(layout) => layout.try_index(coordinate),
            AnyLayout::Swizzled(layout) => layout.inner().try_index(coordinate).and_then(|inner| {
                let before = layout.offset().checked_add(inner);
                let before = before.ok_or_else(|| LayoutError::new("index", Fault::Overflow))?;
                Ok(layout.outer().apply(before))
            }),
        };
    coord(shape: Shape, number: Number) | coordinate, idx2crd;
        "the coordinate of a number",
        "5", Method, "", Offset => shape.try_coord(number);
    apply(swizzle: Swizzle, offset: Number);
        "the swizzled offset",
        "64", Method, "", Nothing => swizzle.apply(offset);
    congruent(shape: Shape, other: Shape);
        "the same nesting of parentheses",
        "(2,2)", Relation("Congruent"), "", Offset => shape.congruent(other);
    weakly_congruent(shape: Shape, other: Shape);
        "congruent, but leaves of the first may be tuples in the second",
        "((2,2),3)", Relation("WeaklyCongruent"), "", Offset => shape.weakly_congruent(other);
    compatible(shape: Shape, other: Shape);
        "coordinates of the first are coordinates of the second",
        "((2,2),6)", Relation("Compatible"), "", Offset => shape.compatible(other);
    is_injective(layout: AnyLayout);
        "no two coordinates share an offset",
        "", Method, "", Offset => layout.is_injective();
    is_surjective(layout: AnyLayout);
        "every offset below the cosize is reached",
        "", Method, "", Offset => layout.try_is_surjective();
    is_bijective(layout: AnyLayout);
        "injective and surjective",
        "", Method, "", Offset => layout.try_is_bijective();
    is_compact(layout: AnyLayout);
        "bijective once modes of stride 0 are dropped",
        "", Method, "", Offset => layout.try_is_compact();
}
