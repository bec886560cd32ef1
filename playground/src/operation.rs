//! The operations that can be typed, a row each: names, operands, law, how it reads in Rust, and what it does.

use layout_algebra::analysis::WarpAccess;
use layout_algebra::prelude::*;

use crate::value::{Banks, Memory, Operand, Trouble, Value, drawable};

/// What an operand has to be, for the page's help and for Rust.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A layout, swizzled or not.
    Memory,
    /// A layout that is not swizzled.
    Layout,
    /// A layout, a number or a tiler.
    Tile,
    /// Numbers in parentheses.
    Shape,
    /// A number.
    Number,
    /// Numbers of modes.
    Modes,
    /// A coordinate, with `_` or a range for what is kept.
    Slice,
    /// A swizzle.
    Swizzle,
}

/// How a row reads in Rust.
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
    /// Only the values have it.
    Method,
    /// A method of `DynLayout` alone.
    Dynamic,
}

/// Which cells of the operands and of the result are the same element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Link {
    /// Those of one offset.
    Offset,
    /// Those of one offset, and those of one index of the right operand and the result: `R(c) = A(B(c))`.
    Composition,
    /// An offset of the result is an index of the operand: `A(R(i)) = i`.
    Inverse,
    /// Those of one index.
    Index,
    /// None.
    Nothing,
}

/// An operation.
pub struct Operation {
    /// The library's name.
    pub name: &'static str,
    /// Other names: CuTe's.
    pub others: &'static [&'static str],
    /// Where it stands in the page's list.
    pub group: &'static str,
    /// Its law, or what it answers.
    pub law: &'static str,
    /// Its operands.
    pub operands: &'static [Kind],
    /// How many of them have to be there.
    pub required: usize,
    /// Right operands to begin with.
    pub example: &'static str,
    /// How it reads in Rust.
    pub form: Form,
    /// What cannot be done, in the words of the compile error.
    pub verb: &'static str,
    /// The same elements.
    pub link: Link,
    /// What it does.
    pub run: fn(&Arguments<'_>) -> Result<Value, Trouble>,
}

/// The operands of an operation.
pub struct Arguments<'a> {
    /// In their order, the layout that it is a method of first.
    pub operands: &'a [&'a Operand],
    /// Where the operation stands, for what it refuses.
    pub span: std::ops::Range<usize>,
}

/// What the library answers.
type Answer<T> = Result<T, LayoutError>;

impl Arguments<'_> {
    fn memory(&self, index: usize) -> Result<Memory, Trouble> {
        self.operands[index].memory()
    }

    fn layout(&self, index: usize) -> Result<DynLayout, Trouble> {
        self.operands[index].layout()
    }

    fn shape(&self, index: usize) -> Result<DynShape, Trouble> {
        self.operands[index].shape()
    }

    fn number(&self, index: usize) -> Result<usize, Trouble> {
        self.operands[index].number()
    }

    fn tiler(&self, index: usize) -> Result<DynTiler, Trouble> {
        self.operands[index].tiler()
    }

    fn refused(&self, error: LayoutError) -> Trouble {
        Trouble { span: self.span.clone(), sentence: error.to_string(), refusal: Some(error) }
    }

    fn plain(&self, result: Answer<DynLayout>) -> Result<Value, Trouble> {
        result.map(|layout| Value::Memory(Memory::Plain(layout))).map_err(|error| self.refused(error))
    }

    fn swizzled(&self, result: Answer<DynComposedLayout>) -> Result<Value, Trouble> {
        let layout = result.map_err(|error| self.refused(error))?;
        drawable(&layout.inner(), &self.span)?;
        Ok(Value::Memory(Memory::Swizzled(layout)))
    }

    /// The value of either kind of layout, or the refusal.
    fn either(
        &self,
        plain: impl FnOnce(&DynLayout) -> Answer<DynLayout>,
        swizzled: impl FnOnce(&DynComposedLayout) -> Answer<DynComposedLayout>,
    ) -> Result<Value, Trouble> {
        match self.memory(0)? {
            Memory::Plain(layout) => self.plain(plain(&layout)),
            Memory::Swizzled(layout) => self.swizzled(swizzled(&layout)),
        }
    }
}

/// The row of this name.
pub fn find(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|row| row.name == name || row.others.contains(&name))
}

const UNARY: &[Kind] = &[Kind::Memory];
const PLAIN: &[Kind] = &[Kind::Layout];
const TILED: &[Kind] = &[Kind::Memory, Kind::Tile];
const PAIR: &[Kind] = &[Kind::Layout, Kind::Layout];
const SHAPES: &[Kind] = &[Kind::Shape, Kind::Shape];
const NUMBERED: &[Kind] = &[Kind::Memory, Kind::Number];

/// A row from what rows have in common.
const fn row(name: &'static str, group: &'static str, law: &'static str, operands: &'static [Kind]) -> Operation {
    Operation {
        name,
        others: &[],
        group,
        law,
        operands,
        required: operands.len(),
        example: "",
        form: Form::Method,
        verb: "",
        link: Link::Offset,
        run: |_| Ok(Value::Bool(false)),
    }
}

/// The most coordinates whose threads and values, or banks, are counted here.
const COUNTED: usize = 1 << 18;

fn threads(arguments: &Arguments<'_>) -> Result<Value, Trouble> {
    let layout = arguments.layout(0)?;
    if layout.size() > COUNTED || layout.cosize() > COUNTED {
        let sentence = format!("{layout} deals out more than {COUNTED} elements, the most that are drawn here");
        return Err(Trouble::new(arguments.span.clone(), sentence));
    }
    let tile = if arguments.operands.len() > 1 { arguments.shape(1)? } else { DynShape::from(layout.cosize()) };
    let size = tile.try_size().map_err(|error| arguments.refused(error))?;
    if size < layout.cosize() {
        let sentence = format!("a tile of shape {tile} has {size} elements, and {layout} reaches {}", layout.cosize());
        return Err(Trouble::new(arguments.span.clone(), sentence));
    }
    if size > COUNTED {
        let sentence = format!("a tile of shape {tile} has more than {COUNTED} elements, the most that are drawn here");
        return Err(Trouble::new(arguments.span.clone(), sentence));
    }
    Ok(Value::ThreadValues(layout, tile))
}

fn banks(arguments: &Arguments<'_>) -> Result<Value, Trouble> {
    let (memory, threads) = (arguments.memory(0)?, arguments.layout(1)?);
    let element_bits = if arguments.operands.len() > 2 { arguments.number(2)? } else { 32 };
    let access_bits = if arguments.operands.len() > 3 { arguments.number(3)? } else { element_bits };
    let wrong = |sentence: String| Err(Trouble::new(arguments.span.clone(), sentence));
    if threads.size() > COUNTED {
        return wrong(format!("{threads} has more than {COUNTED} accesses, the most that are counted here"));
    }
    if threads.cosize() > memory.size() {
        let (reach, size) = (threads.cosize(), memory.size());
        return wrong(format!("the threads of {threads} reach {reach} elements, and {memory} has {size}"));
    }
    // The rules of `WarpAccess::new`, which panics.
    if element_bits == 0 || access_bits % element_bits != 0 {
        return wrong(format!("an access is of whole elements, and {element_bits} does not divide {access_bits}"));
    }
    if access_bits % 8 != 0 || access_bits > 1024 {
        return wrong(format!("an access is of whole bytes, and of 128 of them at most: not of {access_bits} bits"));
    }
    let (Some(flat), Some(flat_threads)) = (memory.flat(), Memory::Plain(threads.clone()).flat()) else {
        return wrong("the analysis takes layouts of at most 32 leaves".into());
    };
    let elements = access_bits / element_bits;
    if flat_threads.values() % elements != 0 {
        let values = flat_threads.values();
        return wrong(format!("a thread has {values} values, and an access takes {elements} of them"));
    }
    // Those of an access, which panics too: its elements are neighbours in memory, and aligned.
    for thread in 0..flat_threads.threads() {
        for first in (0..flat_threads.values()).step_by(elements) {
            let start = memory.at(flat_threads.of_thread(thread, first));
            for k in 1..elements {
                let offset = memory.at(flat_threads.of_thread(thread, first + k));
                if offset.checked_sub(start) != Some(k) {
                    return wrong(format!(
                        "{access_bits} bits at once: values {first} and {} of thread {thread} are at offsets {start} \
                         and {offset}",
                        first + k
                    ));
                }
            }
            if start % elements != 0 {
                return wrong(format!(
                    "{access_bits} bits at once: value {first} of thread {thread} is at offset {start}, which is no \
                     multiple of {elements}"
                ));
            }
        }
    }
    let found = WarpAccess::new(&flat_threads, element_bits, access_bits).bank_conflicts(&flat);
    Ok(Value::Banks(Box::new(Banks { memory, threads, element_bits, access_bits, found })))
}

/// `compose`, also with a swizzle on the left and a swizzled layout on the right.
fn compose(arguments: &Arguments<'_>) -> Result<Value, Trouble> {
    let right = &arguments.operands[1];
    match (&arguments.operands[0].value, &right.value) {
        (Value::Swizzle(left), Value::Swizzle(then)) => {
            left.compose(then).map(Value::Swizzle).map_err(|error| arguments.refused(error))
        }
        (Value::Swizzle(left), _) => {
            let right = right.layout()?;
            drawable(&right, &arguments.span)?;
            let text = format!("{left} o 0 o {right}");
            arguments.swizzled(text.parse())
        }
        (_, Value::Memory(Memory::Swizzled(right))) => {
            let left = arguments.layout(0)?;
            arguments.swizzled(right.composed_under(&left))
        }
        _ => {
            let tiler = arguments.tiler(1)?;
            arguments.either(|l| l.compose(&tiler), |l| l.compose(&tiler))
        }
    }
}

/// Rows of operations with a tile on the right, on plain layouts and swizzled ones.
macro_rules! tiled {
    ($method:ident) => {
        |a| {
            let tiler = a.tiler(1)?;
            a.either(|l| l.$method(&tiler), |l| l.$method(&tiler))
        }
    };
}
/// The same, with a layout on the right.
macro_rules! paired {
    ($method:ident) => {
        |a| {
            let tile = a.layout(1)?;
            a.either(|l| l.$method(&tile), |l| l.$method(&tile))
        }
    };
}

/// All of them.
pub static OPERATIONS: &[Operation] = &[
    // ---- compose, divide, multiply ---------------------------------------------------------------------------------
    Operation {
        others: &["composition"],
        example: "<2,3>",
        form: Form::Alias("Composition"),
        verb: "compose",
        link: Link::Composition,
        run: compose,
        ..row("compose", "Compose and divide", "R(c) = A(B(c))", TILED)
    },
    Operation {
        example: "<2,3>",
        form: Form::Alias("LogicalDivision"),
        verb: "divide",
        run: tiled!(logical_divide),
        ..row(
            "logical_divide",
            "Compose and divide",
            "R = A o (T, complement(T, size(A))): the tile, and which tile",
            TILED,
        )
    },
    Operation {
        example: "<2,3>",
        form: Form::Alias("ZippedDivision"),
        verb: "divide",
        run: tiled!(zipped_divide),
        ..row("zipped_divide", "Compose and divide", "mode 0 is the tile of all modes, mode 1 says which tile", TILED)
    },
    Operation {
        example: "<2,3>",
        form: Form::Alias("TiledDivision"),
        verb: "divide",
        run: tiled!(tiled_divide),
        ..row("tiled_divide", "Compose and divide", "zipped_divide with the rest as modes of its own", TILED)
    },
    Operation {
        example: "<2,3>",
        form: Form::Alias("FlatDivision"),
        verb: "divide",
        run: tiled!(flat_divide),
        ..row("flat_divide", "Compose and divide", "zipped_divide on one level", TILED)
    },
    Operation {
        example: "<4,4>",
        form: Form::Alias("RoundedUp"),
        verb: "round up",
        run: |a| {
            let (layout, tiler) = (a.layout(0)?, a.tiler(1)?);
            a.plain(layout.round_up(&tiler))
        },
        ..row(
            "round_up",
            "Compose and divide",
            "extents grown to whole tiles, strides kept",
            &[Kind::Layout, Kind::Tile],
        )
    },
    Operation {
        example: "2:1",
        form: Form::Alias("LogicalProductOf"),
        verb: "multiply",
        run: tiled!(logical_product),
        ..row("logical_product", "Multiply", "disjoint copies of A, laid out by T", TILED)
    },
    Operation {
        example: "(2,2):(1,2)",
        form: Form::Alias("ZippedProductOf"),
        verb: "multiply",
        run: tiled!(zipped_product),
        ..row("zipped_product", "Multiply", "mode 0 is A, mode 1 says which copy", TILED)
    },
    Operation {
        example: "(2,2):(1,2)",
        form: Form::Alias("TiledProductOf"),
        verb: "multiply",
        run: tiled!(tiled_product),
        ..row("tiled_product", "Multiply", "zipped_product with the copies as modes of their own", TILED)
    },
    Operation {
        example: "(2,2):(1,2)",
        form: Form::Alias("FlatProductOf"),
        verb: "multiply",
        run: tiled!(flat_product),
        ..row("flat_product", "Multiply", "zipped_product on one level", TILED)
    },
    Operation {
        example: "(2,2):(1,2)",
        form: Form::Alias("BlockedProductOf"),
        verb: "multiply",
        run: paired!(blocked_product),
        ..row("blocked_product", "Multiply", "copies of A as blocks", &[Kind::Memory, Kind::Layout])
    },
    Operation {
        example: "(2,2):(1,2)",
        form: Form::Alias("RakedProductOf"),
        verb: "multiply",
        run: paired!(raked_product),
        ..row("raked_product", "Multiply", "copies of A, interleaved", &[Kind::Memory, Kind::Layout])
    },
    Operation {
        example: "(8,12)",
        form: Form::Alias("TileToShapeOf"),
        verb: "tile the shape",
        run: |a| {
            let shape = a.shape(1)?;
            a.either(|l| l.tile_to_shape(&shape), |l| l.tile_to_shape(&shape))
        },
        ..row("tile_to_shape", "Multiply", "A repeated until it fills a shape", &[Kind::Memory, Kind::Shape])
    },
    // ---- simplify, invert ------------------------------------------------------------------------------------------
    Operation {
        form: Form::Alias("Coalesced"),
        verb: "coalesce",
        run: |a| a.either(|l| Ok(l.coalesce()), |l| Ok(l.coalesce())),
        ..row("coalesce", "Simplify and invert", "R(i) = A(i) for i < size(A), in the fewest modes", UNARY)
    },
    Operation {
        form: Form::Alias("CoalescedZ"),
        verb: "coalesce",
        run: |a| a.plain(Ok(a.layout(0)?.coalesce_z())),
        ..row("coalesce_z", "Simplify and invert", "R(i) = A(i) for all i: a last mode of extent 1 stays", PLAIN)
    },
    Operation {
        example: "(1,1)",
        form: Form::Alias("CoalescedBy"),
        verb: "coalesce",
        run: |a| {
            let profile = a.shape(1)?;
            a.either(|l| l.coalesce_by(&profile), |l| l.coalesce_by(&profile))
        },
        ..row(
            "coalesce_by",
            "Simplify and invert",
            "coalesce within each leaf of a profile",
            &[Kind::Memory, Kind::Shape],
        )
    },
    Operation {
        form: Form::Alias("Filtered"),
        verb: "filter",
        run: |a| a.plain(Ok(a.layout(0)?.filter())),
        ..row("filter", "Simplify and invert", "the same offsets, without modes of stride 0", PLAIN)
    },
    Operation {
        example: "24",
        form: Form::Alias("ComplementOf"),
        verb: "take the complement",
        link: Link::Nothing,
        run: |a| {
            let (layout, extent) = (a.layout(0)?, a.number(1)?);
            a.plain(layout.complement(extent))
        },
        ..row("complement", "Simplify and invert", "(A, R) is a bijection onto 0..M", &[Kind::Layout, Kind::Number])
    },
    Operation {
        example: "24",
        form: Form::Alias("ComplementCeilOf"),
        verb: "take the complement",
        link: Link::Nothing,
        run: |a| {
            let (layout, extent) = (a.layout(0)?, a.number(1)?);
            a.plain(layout.complement_ceil(extent))
        },
        ..row(
            "complement_ceil",
            "Simplify and invert",
            "complement in M rounded up to what A spans",
            &[Kind::Layout, Kind::Number],
        )
    },
    Operation {
        form: Form::Alias("RightInverseOf"),
        verb: "invert",
        link: Link::Inverse,
        run: |a| a.plain(Ok(a.layout(0)?.right_inverse())),
        ..row("right_inverse", "Simplify and invert", "A(R(i)) = i", PLAIN)
    },
    Operation {
        form: Form::Alias("LeftInverseOf"),
        verb: "take the left inverse",
        link: Link::Inverse,
        run: |a| a.plain(a.layout(0)?.left_inverse()),
        ..row("left_inverse", "Simplify and invert", "R(A(i)) = i", PLAIN)
    },
    Operation {
        form: Form::Alias("NullspaceOf"),
        verb: "invert",
        link: Link::Inverse,
        run: |a| a.plain(Ok(a.layout(0)?.nullspace())),
        ..row("nullspace", "Simplify and invert", "A(R(i)) = 0", PLAIN)
    },
    Operation {
        example: "(4,6):(1,4)",
        form: Form::Alias("MaxCommonLayoutOf"),
        verb: "take the common layout",
        link: Link::Nothing,
        run: |a| a.plain(Ok(a.layout(0)?.max_common_layout(&a.layout(1)?))),
        ..row("max_common_layout", "Simplify and invert", "the largest R with A(R(i)) = B(R(i)) = i", PAIR)
    },
    Operation {
        example: "(4,6):(1,4)",
        run: |a| Ok(Value::Number(a.layout(0)?.max_common_vector(&a.layout(1)?))),
        ..row("max_common_vector", "Simplify and invert", "the size of the max_common_layout", PAIR)
    },
    Operation {
        example: "(4,6):(6,1)",
        form: Form::Alias("LayoutSumOf"),
        verb: "add",
        link: Link::Index,
        run: |a| {
            let (left, right) = (a.layout(0)?, a.layout(1)?);
            a.plain(left.layout_add(&right))
        },
        ..row("layout_add", "Simplify and invert", "R(i) = A(i) + B(i)", PAIR)
    },
    Operation {
        example: "(2,12)",
        form: Form::Alias("GreatestCommonDomainOf"),
        verb: "take the common domain",
        link: Link::Nothing,
        run: |a| {
            let (left, right) = (a.shape(0)?, a.shape(1)?);
            a.plain(left.greatest_common_domain(&right))
        },
        ..row(
            "greatest_common_domain",
            "Simplify and invert",
            "factors that both shapes have at the same place",
            SHAPES,
        )
    },
    // ---- elements of other sizes -----------------------------------------------------------------------------------
    Operation {
        example: "2",
        form: Form::Alias("Upcasted"),
        verb: "upcast",
        link: Link::Nothing,
        run: |a| {
            let unit = a.number(1)?;
            a.either(|l| l.upcast(unit), |l| l.upcast(unit))
        },
        ..row("upcast", "Recast", "the same memory in units of n elements", NUMBERED)
    },
    Operation {
        example: "2",
        form: Form::Alias("Downcasted"),
        verb: "downcast",
        link: Link::Nothing,
        run: |a| {
            let parts = a.number(1)?;
            a.either(|l| l.downcast(parts), |l| l.downcast(parts))
        },
        ..row("downcast", "Recast", "the same memory in n parts of each element", NUMBERED)
    },
    Operation {
        others: &["recast_layout"],
        example: "16,32",
        form: Form::Alias("Recasted"),
        verb: "recast",
        link: Link::Nothing,
        run: |a| {
            let (from, to) = (a.number(1)?, a.number(2)?);
            a.either(|l| l.recast(from, to), |l| l.recast(from, to))
        },
        ..row(
            "recast",
            "Recast",
            "elements of one size seen as elements of another",
            &[Kind::Memory, Kind::Number, Kind::Number],
        )
    },
    // ---- modes -----------------------------------------------------------------------------------------------------
    Operation {
        form: Form::Alias("Flattened"),
        verb: "flatten",
        run: |a| a.either(|l| Ok(l.flatten()), |l| Ok(l.flatten())),
        ..row("flatten", "Modes", "all modes on one level", UNARY)
    },
    Operation {
        form: Form::Alias("Transposed"),
        verb: "transpose",
        run: |a| a.plain(a.layout(0)?.transpose()),
        ..row("transpose", "Modes", "the two modes exchanged", PLAIN)
    },
    Operation {
        form: Form::Alias("Reversed"),
        verb: "reverse",
        run: |a| a.plain(Ok(a.layout(0)?.reverse())),
        ..row("reverse", "Modes", "the modes from last to first, on all levels", PLAIN)
    },
    Operation {
        example: "(1,0)",
        form: Form::Alias("Selected"),
        verb: "select modes",
        run: |a| {
            let (layout, modes) = (a.layout(0)?, a.operands[1].numbers()?);
            a.plain(layout.select(&modes))
        },
        ..row("select", "Modes", "these modes in this order", &[Kind::Layout, Kind::Modes])
    },
    Operation {
        example: "0",
        form: Form::Indexed("ModeAt"),
        verb: "take a mode",
        run: |a| {
            let (layout, mode) = (a.layout(0)?, a.number(1)?);
            a.plain(layout.mode(mode))
        },
        ..row("mode", "Modes", "one mode", &[Kind::Layout, Kind::Number])
    },
    Operation {
        example: "0,2",
        form: Form::Indexed("Taken"),
        verb: "take modes",
        run: |a| {
            let (layout, first, last) = (a.layout(0)?, a.number(1)?, a.number(2)?);
            a.plain(layout.take(first, last))
        },
        ..row("take", "Modes", "modes first to last - 1", &[Kind::Layout, Kind::Number, Kind::Number])
    },
    Operation {
        example: "0,2",
        form: Form::Indexed("Grouped"),
        verb: "group modes",
        run: |a| {
            let (layout, first, last) = (a.layout(0)?, a.number(1)?, a.number(2)?);
            a.plain(layout.group(first, last))
        },
        ..row("group", "Modes", "modes first to last - 1 as one", &[Kind::Layout, Kind::Number, Kind::Number])
    },
    Operation {
        example: "0",
        form: Form::Indexed("Ungrouped"),
        verb: "ungroup",
        run: |a| {
            let (layout, mode) = (a.layout(0)?, a.number(1)?);
            a.plain(layout.ungroup(mode))
        },
        ..row("ungroup", "Modes", "the modes of one mode in its place", &[Kind::Layout, Kind::Number])
    },
    Operation {
        example: "2:24",
        form: Form::Alias("Appended"),
        verb: "append",
        run: |a| {
            let (layout, mode) = (a.layout(0)?, a.layout(1)?);
            a.plain(layout.append(&mode))
        },
        ..row("append", "Modes", "one more mode at the end", PAIR)
    },
    Operation {
        example: "2:24",
        form: Form::Alias("Prepended"),
        verb: "prepend",
        run: |a| {
            let (layout, mode) = (a.layout(0)?, a.layout(1)?);
            a.plain(layout.prepend(&mode))
        },
        ..row("prepend", "Modes", "one more mode at the beginning", PAIR)
    },
    Operation {
        example: "(12,2)",
        form: Form::Alias("WithShapeOf"),
        verb: "take the shape",
        run: |a| {
            let (layout, shape) = (a.layout(0)?, a.shape(1)?);
            a.plain(layout.with_shape(&shape))
        },
        ..row("with_shape", "Modes", "A o left(shape)", &[Kind::Layout, Kind::Shape])
    },
    Operation {
        example: "(1,_)",
        form: Form::Method,
        verb: "slice",
        run: |a| {
            let at = a.operands[1].slice()?;
            match a.memory(0)? {
                Memory::Plain(layout) => layout.slice(&at).map(|(part, offset)| (Memory::Plain(part), offset)),
                Memory::Swizzled(layout) => layout.slice(&at).map(|(part, offset)| (Memory::Swizzled(part), offset)),
            }
            .map(|(part, offset)| Value::Part(part, offset))
            .map_err(|error| a.refused(error))
        },
        ..row("slice", "Modes", "R(x) + offset = A(c with x in the place of _)", &[Kind::Memory, Kind::Slice])
    },
    // ---- from a shape ----------------------------------------------------------------------------------------------
    Operation {
        others: &["compact_left", "make_layout"],
        form: Form::OfShape("LeftLayout"),
        verb: "lay out shape",
        run: |a| a.plain(DynLayout::try_left(&a.shape(0)?)),
        ..row("left", "From a shape", "strides from the left: column-major", &[Kind::Shape])
    },
    Operation {
        others: &["compact_right"],
        form: Form::OfShape("RightLayout"),
        verb: "lay out shape",
        run: |a| a.plain(DynLayout::try_right(&a.shape(0)?)),
        ..row("right", "From a shape", "strides from the right: row-major", &[Kind::Shape])
    },
    Operation {
        others: &["make_ordered_layout"],
        example: "(1,0)",
        form: Form::Dynamic,
        verb: "lay out shape",
        run: |a| a.plain(DynLayout::ordered(&a.shape(0)?, &a.shape(1)?)),
        ..row("ordered", "From a shape", "strides in the order given", SHAPES)
    },
    // ---- threads, banks --------------------------------------------------------------------------------------------
    Operation {
        others: &["thread_values", "print_latex_tv"],
        example: "(8,8)",
        required: 1,
        link: Link::Inverse,
        run: threads,
        ..row(
            "thread_value_table",
            "Threads and banks",
            "which thread's which value each element of a tile is",
            &[Kind::Layout, Kind::Shape],
        )
    },
    Operation {
        example: "(32,1):(1,0),32,32",
        required: 2,
        link: Link::Composition,
        run: banks,
        ..row(
            "bank_conflicts",
            "Threads and banks",
            "A in shared memory, threads and values, bits of an element, bits at once",
            &[Kind::Memory, Kind::Layout, Kind::Number, Kind::Number],
        )
    },
    Operation {
        example: "64",
        link: Link::Nothing,
        run: |a| Ok(Value::Number(a.operands[0].swizzle()?.apply(a.number(1)?))),
        ..row("apply", "Threads and banks", "what a swizzle makes of an offset", &[Kind::Swizzle, Kind::Number])
    },
    // ---- questions -------------------------------------------------------------------------------------------------
    Operation {
        form: Form::Constant("SIZE"),
        run: |a| Ok(Value::Number(a.memory(0)?.size())),
        ..row("size", "Questions", "how many coordinates", UNARY)
    },
    Operation {
        form: Form::Constant("COSIZE"),
        run: |a| Ok(Value::Number(a.memory(0)?.cosize())),
        ..row("cosize", "Questions", "one past the largest offset", UNARY)
    },
    Operation {
        form: Form::Constant("RANK"),
        run: |a| Ok(Value::Number(a.memory(0)?.strided().rank())),
        ..row("rank", "Questions", "how many modes", UNARY)
    },
    Operation {
        form: Form::Constant("DEPTH"),
        run: |a| Ok(Value::Number(a.memory(0)?.strided().depth())),
        ..row("depth", "Questions", "how deep modes are nested", UNARY)
    },
    Operation {
        others: &["crd2idx"],
        example: "(1,2)",
        run: |a| {
            let coordinate = a.shape(1)?;
            match a.memory(0)? {
                Memory::Plain(layout) => layout.try_index(&coordinate).map(Value::Number),
                Memory::Swizzled(layout) => layout.inner().try_index(&coordinate).and_then(|inner| {
                    let before = layout.offset().checked_add(inner);
                    let before = before.ok_or_else(|| LayoutError::new("index", Fault::Overflow))?;
                    Ok(Value::Number(layout.outer().apply(before)))
                }),
            }
            .map_err(|error| a.refused(error))
        },
        ..row("index", "Questions", "the offset of a coordinate", &[Kind::Memory, Kind::Shape])
    },
    Operation {
        others: &["idx2crd"],
        example: "5",
        run: |a| {
            let shape = a.shape(0)?;
            shape.try_coord(a.number(1)?).map(Value::Shape).map_err(|error| a.refused(error))
        },
        ..row("coord", "Questions", "the coordinate of a number", &[Kind::Shape, Kind::Number])
    },
    Operation {
        example: "(2,2)",
        form: Form::Relation("Congruent"),
        run: |a| Ok(Value::Bool(a.shape(0)?.congruent(&a.shape(1)?))),
        ..row("congruent", "Questions", "the same parentheses", SHAPES)
    },
    Operation {
        example: "((2,2),3)",
        form: Form::Relation("WeaklyCongruent"),
        run: |a| Ok(Value::Bool(a.shape(0)?.weakly_congruent(&a.shape(1)?))),
        ..row("weakly_congruent", "Questions", "the same parentheses, as far as the first has some", SHAPES)
    },
    Operation {
        example: "((2,2),6)",
        form: Form::Relation("Compatible"),
        run: |a| Ok(Value::Bool(a.shape(0)?.compatible(&a.shape(1)?))),
        ..row("compatible", "Questions", "coordinates of the first are coordinates of the second", SHAPES)
    },
    Operation {
        run: |a| {
            let memory = a.memory(0)?;
            if !memory.is_quick() {
                let sentence =
                    format!("the modes of {memory} interlock, and there are too many coordinates to search here");
                return Err(Trouble::new(a.span.clone(), sentence));
            }
            Ok(Value::Bool(a.layout(0)?.is_injective()))
        },
        ..row("is_injective", "Questions", "no two coordinates share an offset", PLAIN)
    },
    Operation {
        run: |a| Ok(Value::Bool(a.layout(0)?.is_surjective())),
        ..row("is_surjective", "Questions", "every offset below the cosize is reached", PLAIN)
    },
    Operation {
        run: |a| Ok(Value::Bool(a.layout(0)?.is_bijective())),
        ..row("is_bijective", "Questions", "both", PLAIN)
    },
    Operation {
        run: |a| Ok(Value::Bool(a.layout(0)?.is_compact())),
        ..row("is_compact", "Questions", "bijective once modes of stride 0 are dropped", PLAIN)
    },
];
