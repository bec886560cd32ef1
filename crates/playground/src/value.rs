//! The values of parts of an expression, and the conversion of literals to operands.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use layout_algebra::analysis::BankConflicts;
use layout_algebra::prelude::*;
use layout_cli::{AnyLayout, Kind};

use crate::read::Macro;

/// An error, and its place in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Trouble {
    /// The span, in bytes.
    pub span: Range<usize>,
    /// The message; the library's own if it refused.
    pub sentence: String,
    /// The error of the library.
    pub refusal: Option<LayoutError>,
}

impl Trouble {
    /// An unsupported feature of the page.
    pub fn new(span: Range<usize>, sentence: impl Into<String>) -> Self {
        Trouble { span, sentence: sentence.into(), refusal: None }
    }

    /// An error of the library about the text in `span`.
    pub fn refused(span: Range<usize>, error: LayoutError) -> Self {
        let span = match error.byte() {
            Some(byte) => {
                let start = (span.start + byte).min(span.end);
                start..(start + 1).min(span.end).max(start)
            }
            None => span,
        };
        Trouble { span, sentence: error.to_string(), refusal: Some(error) }
    }
}

/// The accesses of threads to a memory, and their cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Banks {
    /// The layout of the memory.
    pub memory: AnyLayout,
    /// (thread, value) -> index of a coordinate of the memory.
    pub threads: DynLayout,
    /// The bits of an element.
    pub element_bits: usize,
    /// The bits of an access of a thread.
    pub access_bits: usize,
    /// The bank conflicts that the library counts.
    pub found: BankConflicts,
}

/// The value of a part of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// The function `A(B(c))`, if no layout equals it.
    Function(DynLayout, DynLayout),
    /// A layout, swizzled or not.
    Memory(AnyLayout),
    /// A layout at an offset: the result of a slice.
    Part(AnyLayout, usize),
    /// A thread-value layout, and the shape of its tile.
    ThreadValues(DynLayout, DynShape),
    /// The cost of accesses.
    Banks(Box<Banks>),
    /// A swizzle.
    Swizzle(DynSwizzle),
    /// A tiler: it applies mode by mode.
    Tiler(DynTiler),
    /// A slice.
    Slice(DynSlice),
    /// Numbers in parentheses: a shape or a coordinate.
    Shape(DynShape),
    /// A number as result.
    Number(usize),
    /// A truth value as result.
    Bool(bool),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Function(left, right) => write!(f, "{left} after {right}"),
            Value::Memory(memory) => memory.fmt(f),
            Value::Part(memory, offset) => write!(f, "{memory} at offset {offset}"),
            Value::ThreadValues(layout, _) => layout.fmt(f),
            Value::Banks(banks) => match &banks.found.worst {
                Some(worst) => worst.fmt(f),
                None => write!(f, "no bank conflicts"),
            },
            Value::Swizzle(swizzle) => swizzle.fmt(f),
            Value::Tiler(tiler) => tiler.fmt(f),
            Value::Slice(slice) => slice.fmt(f),
            Value::Shape(shape) => shape.fmt(f),
            Value::Number(number) => number.fmt(f),
            Value::Bool(answer) => answer.fmt(f),
        }
    }
}

impl From<layout_cli::Value> for Value {
    fn from(value: layout_cli::Value) -> Self {
        use layout_cli::Value as Found;
        match value {
            Found::Layout(layout) => Value::Memory(layout),
            Found::Part(layout, offset) => Value::Part(layout, offset),
            Found::Tile(tiler) => Value::Tiler(tiler),
            Found::Shape(shape) => Value::Shape(shape),
            Found::Number(number) => Value::Number(number),
            Found::Slice(slice) => Value::Slice(slice),
            Found::Swizzle(swizzle) => Value::Swizzle(swizzle),
            Found::Bool(answer) => Value::Bool(answer),
        }
    }
}

/// An operand: a value, or a literal, which an operation reads as the kind of its operand.
#[derive(Debug, Clone)]
pub struct Operand {
    /// The span of the operand.
    pub span: Range<usize>,
    /// The text of a literal.
    pub literal: Option<String>,
    /// The value. For a literal, the value outside of operations.
    pub value: Value,
}

impl Operand {
    /// The literal `text` that stands in `span`.
    pub fn literal(text: &str, span: Range<usize>) -> Result<Self, Trouble> {
        let operand = |value| Operand { span: span.clone(), literal: Some(text.into()), value };
        let refused = |error| Trouble::refused(span.clone(), error);
        if text.starts_with("Sw") {
            return Ok(operand(swizzled(text, &span)?));
        }
        if text.starts_with('<') || text == "_" {
            return Ok(operand(Value::Tiler(text.parse().map_err(refused)?)));
        }
        if text.contains("..") || text.starts_with('(') && !text.contains(':') && is_slice(text) {
            return Ok(operand(Value::Slice(text.parse().map_err(refused)?)));
        }
        if text.contains(':') {
            return Ok(operand(Value::Memory(text.parse().map_err(refused)?)));
        }
        let shape: DynShape = text.parse().map_err(refused)?;
        Ok(operand(shape.as_leaf().map_or(Value::Shape(shape), Value::Number)))
    }

    /// The value of a Rust macro with the `text` in `span`.
    pub fn of_macro(kind: Macro, text: &str, span: Range<usize>) -> Result<Self, Trouble> {
        let refused = |error| Trouble::refused(span.clone(), error);
        let of = |shape: &str, laid: fn(&DynShape) -> Result<DynLayout, LayoutError>| {
            let layout =
                shape.parse::<DynShape>().and_then(|shape| laid(&shape)).map_err(refused)?;
            Ok(Operand {
                span: span.clone(),
                literal: None,
                value: Value::Memory(AnyLayout::Plain(layout)),
            })
        };
        match (
            kind,
            text.rsplit_once(':').map_or((text, ""), |(shape, order)| (shape, order.trim())),
        ) {
            (Macro::Layout, (shape, "right")) => return of(shape, DynLayout::try_right),
            (Macro::Layout, (shape, "left")) => return of(shape, DynLayout::try_left),
            _ => {}
        }
        // A variable, or its type.
        if let Some(start) = text.find(|c: char| c.is_ascii_alphabetic()) {
            let length = text[start..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let name = &text[start..length.map_or(text.len(), |length| start + length)];
            let sentence = format!(
                "a number is wanted in place of `{name}`: what it is, only the program knows"
            );
            return Err(Trouble::new(
                span.start + start..span.start + start + name.len(),
                sentence,
            ));
        }
        match kind {
            Macro::Layout if !text.contains(':') => of(text, DynLayout::try_left),
            Macro::Layout | Macro::Shape => Operand::literal(text, span),
            // Of the same length as the text: `(2, 3)`.
            Macro::Tiler => Operand::literal(&format!("<{}>", &text[1..text.len() - 1]), span),
            Macro::Swizzle => {
                let swizzle = format!("Sw{text}").parse().map_err(refused)?;
                Ok(Operand { span: span.clone(), literal: None, value: Value::Swizzle(swizzle) })
            }
        }
    }

    fn parse<T: FromStr<Err = LayoutError>>(&self, text: &str) -> Result<T, Trouble> {
        text.parse().map_err(|error| Trouble::refused(self.span.clone(), error))
    }

    fn wrong<T>(&self, wanted: &str) -> Result<T, Trouble> {
        Err(Trouble::new(
            self.span.clone(),
            format!("{wanted} is wanted here, and this is {}", self.value),
        ))
    }

    /// The operand as a value of this kind.
    pub fn of_kind(&self, kind: Kind) -> Result<layout_cli::Value, Trouble> {
        use layout_cli::Value as Taken;
        Ok(match kind {
            Kind::AnyLayout => Taken::Layout(self.memory()?),
            Kind::Layout => Taken::Layout(AnyLayout::Plain(self.layout()?)),
            Kind::Tile => Taken::Tile(self.tiler()?),
            Kind::Shape => Taken::Shape(self.shape()?),
            Kind::Number => Taken::Number(self.number()?),
            Kind::Modes => Taken::Shape(self.modes()?),
            Kind::Slice => Taken::Slice(self.slice()?),
            Kind::Swizzle => Taken::Swizzle(self.swizzle()?),
        })
    }

    /// A layout, swizzled or not; a tuple of numbers is a shape, with compact column-major strides.
    pub fn memory(&self) -> Result<AnyLayout, Trouble> {
        match &self.value {
            Value::Memory(memory) | Value::Part(memory, 0) => Ok(memory.clone()),
            Value::Part(AnyLayout::Swizzled(layout), _) => Ok(AnyLayout::Swizzled(layout.clone())),
            Value::Part(memory, offset) => Err(Trouble::new(
                self.span.clone(),
                format!("a layout is wanted here, and {memory} begins at offset {offset}"),
            )),
            Value::ThreadValues(layout, _) => Ok(AnyLayout::Plain(layout.clone())),
            Value::Shape(_) | Value::Number(_) => {
                let left = DynLayout::try_left(&self.shape()?);
                Ok(AnyLayout::Plain(
                    left.map_err(|error| Trouble::refused(self.span.clone(), error))?,
                ))
            }
            _ => self.wrong("a layout"),
        }
    }

    /// A layout without a swizzle.
    pub fn layout(&self) -> Result<DynLayout, Trouble> {
        match self.memory()? {
            AnyLayout::Plain(layout) => Ok(layout),
            AnyLayout::Swizzled(_) => self.wrong("a layout without a swizzle"),
        }
    }

    /// The right operand of a composition, a division or a product.
    pub fn tiler(&self) -> Result<DynTiler, Trouble> {
        match (&self.literal, &self.value) {
            (_, Value::Tiler(tiler)) => Ok(tiler.clone()),
            (_, Value::Number(number)) => Ok(DynTiler::from(*number)),
            (Some(_), Value::Shape(shape)) => {
                let entries: Vec<String> =
                    shape.children().map(|child| child.to_string()).collect();
                let by_mode = entries.join(",").replace('(', "<").replace(')', ">");
                Err(Trouble::new(
                    self.span.clone(),
                    format!(
                        "{shape} is a shape, and a tile is a layout, a number or a tiler: \
                         <{by_mode}> goes mode by mode, left({shape}) is a layout"
                    ),
                ))
            }
            _ => Ok(DynTiler::from(self.layout()?)),
        }
    }

    /// Numbers in parentheses.
    pub fn shape(&self) -> Result<DynShape, Trouble> {
        match (&self.literal, &self.value) {
            (_, Value::Shape(shape)) => Ok(shape.clone()),
            (_, Value::Number(number)) => Ok(DynShape::from(*number)),
            (None, Value::Memory(memory)) => Ok(memory.strided().shape()),
            (Some(text), Value::Memory(_)) => self.parse(text),
            _ => self.wrong("a shape"),
        }
    }

    /// A number.
    pub fn number(&self) -> Result<usize, Trouble> {
        match &self.value {
            Value::Number(number) => Ok(*number),
            _ => self.wrong("a number"),
        }
    }

    /// Numbers of modes.
    fn modes(&self) -> Result<DynShape, Trouble> {
        match &self.value {
            Value::Shape(shape) if shape.depth() == 1 => Ok(shape.clone()),
            Value::Number(number) => Ok(DynShape::from(*number)),
            _ => self.wrong("a tuple of numbers"),
        }
    }

    /// A slice.
    pub fn slice(&self) -> Result<DynSlice, Trouble> {
        match (&self.literal, &self.value) {
            (_, Value::Slice(slice)) => Ok(slice.clone()),
            (_, Value::Shape(shape)) => Ok(DynSlice::from(shape)),
            (_, Value::Number(number)) => Ok(DynSlice::from(*number)),
            (Some(text), Value::Tiler(_)) if text == "_" => Ok(DynSlice::keep()),
            _ => self.wrong("a coordinate or `_`"),
        }
    }

    /// A swizzle.
    pub fn swizzle(&self) -> Result<DynSwizzle, Trouble> {
        match &self.value {
            Value::Swizzle(swizzle) => Ok(*swizzle),
            _ => self.wrong("a swizzle, as `Sw<3,3,3>`,"),
        }
    }
}

/// Whether `_` stands for a mode, and is not the prefix of a static number of CuTe.
fn is_slice(text: &str) -> bool {
    let bytes = text.as_bytes();
    (0..bytes.len())
        .any(|at| bytes[at] == b'_' && !bytes.get(at + 1).is_some_and(u8::is_ascii_digit))
}

/// A swizzle, or a swizzled layout; the default offset is 0.
fn swizzled(text: &str, span: &Range<usize>) -> Result<Value, Trouble> {
    let swizzle_end = text.find('>').map_or(text.len(), |at| at + 1);
    let refused = |error| Trouble::refused(span.clone(), error);
    let Some(behind) = text[swizzle_end..].trim_start().strip_prefix('o') else {
        return text.parse().map(Value::Swizzle).map_err(refused);
    };
    let (offset, layout) = match behind.rfind('o') {
        Some(at) => (&behind[..at], &behind[at + 1..]),
        None => (" 0 ", behind),
    };
    // First the layout: its span and its size are known.
    let start = span.end - layout.len();
    let plain: DynLayout =
        layout.parse().map_err(|error| Trouble::refused(start..span.end, error))?;
    drawable(&plain, span)?;
    let whole = format!("{}o{offset}o{layout}", &text[..swizzle_end]);
    let memory = whole.parse().map(AnyLayout::Swizzled).map_err(refused)?;
    memory.try_cosize().map_err(|error| Trouble::refused(span.clone(), error))?;
    Ok(Value::Memory(memory))
}

/// The largest swizzled layout, since its span is found by search.
const SWIZZLED: usize = 1 << 20;

/// Checks that a layout may be swizzled: the analysis allows 32 leaves.
pub fn drawable(layout: &DynLayout, span: &Range<usize>) -> Result<(), Trouble> {
    let leaves = layout.shape().leaves().len();
    if layout.size() <= SWIZZLED && leaves <= 32 {
        return Ok(());
    }
    let sentence = format!(
        "a swizzled layout has at most {SWIZZLED} elements and 32 leaves here, and {layout} has \
         more"
    );
    Err(Trouble::new(span.clone(), sentence))
}
