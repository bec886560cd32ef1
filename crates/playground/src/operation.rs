//! The available operations: the library's by name, and the page's own; and their execution.

use layout_algebra::analysis::WarpAccess;
use layout_algebra::prelude::*;
use layout_cli::{AnyLayout, Form, Kind, Link, Parameter};

pub use layout_cli::Operation;

use crate::value::{Banks, Operand, Trouble, Value, drawable};

const fn operand(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind }
}

/// The operations of the page only. Some of their operands are optional.
static OWN: [(usize, Operation); 2] = [
    (
        1,
        Operation {
            name: "thread_value_table",
            others: &["thread_values", "print_latex_tv"],
            group: "Threads and banks",
            law: "which thread's which value each element of a tile is",
            operands: &[operand("layout", Kind::Layout), operand("tile", Kind::Shape)],
            example: "(8,8)",
            form: Form::Method,
            verb: "",
            link: Link::Inverse,
            call: |_| None,
        },
    ),
    (
        2,
        Operation {
            name: "bank_conflicts",
            others: &[],
            group: "Threads and banks",
            law: "A in shared memory, threads and values, bits of an element, bits at once",
            operands: &[
                operand("layout", Kind::AnyLayout),
                operand("threads", Kind::Layout),
                operand("element", Kind::Number),
                operand("access", Kind::Number),
            ],
            example: "(32,1):(1,0),32,32",
            form: Form::Method,
            verb: "",
            link: Link::Composition,
            call: |_| None,
        },
    ),
];

/// All available operations.
pub fn operations() -> impl Iterator<Item = &'static Operation> {
    layout_cli::OPERATIONS.iter().chain(OWN.iter().map(|(_, row)| row))
}

/// The row of this name.
pub fn find(name: &str) -> Option<&'static Operation> {
    operations().find(|row| row.name == name || row.others.contains(&name))
}

/// The number of required operands.
pub fn required(row: &Operation) -> usize {
    OWN.iter()
        .find(|(_, own)| own.name == row.name)
        .map_or(row.operands.len(), |&(required, _)| required)
}

/// The operands of an operation.
pub struct Arguments<'a> {
    /// In order, the receiver first.
    pub operands: &'a [&'a Operand],
    /// The span of the operation, for its errors.
    pub span: std::ops::Range<usize>,
}

impl Arguments<'_> {
    fn memory(&self, index: usize) -> Result<AnyLayout, Trouble> {
        self.operands[index].memory()
    }

    fn layout(&self, index: usize) -> Result<DynLayout, Trouble> {
        self.operands[index].layout()
    }

    fn number(&self, index: usize) -> Result<usize, Trouble> {
        self.operands[index].number()
    }

    fn refused(&self, error: LayoutError) -> Trouble {
        Trouble { span: self.span.clone(), sentence: error.to_string(), refusal: Some(error) }
    }

    fn swizzled(&self, result: Result<DynComposedLayout, LayoutError>) -> Result<Value, Trouble> {
        let layout = result.map_err(|error| self.refused(error))?;
        drawable(&layout.inner(), &self.span)?;
        let memory = AnyLayout::Swizzled(layout);
        memory.try_cosize().map_err(|error| self.refused(error))?;
        Ok(Value::Memory(memory))
    }

    /// The result of `row` for the operands.
    pub fn run(&self, row: &Operation) -> Result<Value, Trouble> {
        match row.name {
            "thread_value_table" => threads(self),
            "bank_conflicts" => banks(self),
            "compose" => compose(self, row),
            "is_injective" if !self.memory(0)?.is_quick() => {
                let layout = self.memory(0)?;
                let sentence = format!(
                    "the modes of {layout} interlock, and there are too many coordinates to \
                     search here"
                );
                Err(Trouble::new(self.span.clone(), sentence))
            }
            _ => self.call(row),
        }
    }

    /// The library's result for operands of the kinds of the row.
    fn call(&self, row: &Operation) -> Result<Value, Trouble> {
        let kinds = row.operands.iter();
        let operands =
            self.operands.iter().zip(kinds).map(|(operand, wanted)| operand.of_kind(wanted.kind));
        let wrong = || Trouble::new(self.span.clone(), "these are no operands of this operation");
        match (row.call)(&operands.collect::<Result<Vec<_>, _>>()?).ok_or_else(wrong)? {
            Ok(layout_cli::Value::Layout(AnyLayout::Swizzled(layout))) => self.swizzled(Ok(layout)),
            // The picture shows offsets of memory: offsets below 0 have no cell.
            Ok(layout_cli::Value::Layout(AnyLayout::Plain(layout))) if layout.base() != 0 => {
                let fault = Fault::Below { offset: layout.base() };
                Err(self.refused(LayoutError::new("draw", fault).with_operand(&layout)))
            }
            Ok(value) => Ok(value.into()),
            Err(error) => Err(self.refused(error)),
        }
    }
}

/// The most coordinates of an analysis of threads and values, or of banks.
const COUNTED: usize = 1 << 18;

fn threads(arguments: &Arguments<'_>) -> Result<Value, Trouble> {
    let layout = arguments.layout(0)?;
    if layout.base() != 0 {
        let fault = Fault::Below { offset: layout.base() };
        return Err(arguments.refused(LayoutError::new("draw", fault).with_operand(&layout)));
    }
    if layout.size() > COUNTED || layout.cosize() > COUNTED {
        let sentence = format!(
            "{layout} deals out more than {COUNTED} elements, the most that are drawn here"
        );
        return Err(Trouble::new(arguments.span.clone(), sentence));
    }
    let tile = if arguments.operands.len() > 1 {
        arguments.operands[1].shape()?
    } else {
        DynShape::from(layout.cosize())
    };
    let size = tile.try_size().map_err(|error| arguments.refused(error))?;
    if size < layout.cosize() {
        let sentence = format!(
            "a tile of shape {tile} has {size} elements, and {layout} reaches {}",
            layout.cosize()
        );
        return Err(Trouble::new(arguments.span.clone(), sentence));
    }
    // Also for a layout without elements: its sides are drawn.
    let sides =
        tile.leaves().iter().try_fold(1, |sides: usize, &extent| sides.checked_mul(extent.max(1)));
    if sides.is_none_or(|sides| sides > COUNTED) {
        let sentence = format!(
            "a tile of shape {tile} has more than {COUNTED} elements, the most that are drawn here"
        );
        return Err(Trouble::new(arguments.span.clone(), sentence));
    }
    Ok(Value::ThreadValues(layout, tile))
}

fn banks(arguments: &Arguments<'_>) -> Result<Value, Trouble> {
    let (memory, threads) = (arguments.memory(0)?, arguments.layout(1)?);
    let element_bits = if arguments.operands.len() > 2 { arguments.number(2)? } else { 32 };
    let access_bits =
        if arguments.operands.len() > 3 { arguments.number(3)? } else { element_bits };
    let wrong = |sentence: String| Err(Trouble::new(arguments.span.clone(), sentence));
    if threads.size() > COUNTED {
        return wrong(format!(
            "{threads} has more than {COUNTED} accesses, the most that are counted here"
        ));
    }
    if threads.cosize() > memory.size() {
        let (reach, size) = (threads.cosize(), memory.size());
        return wrong(format!(
            "the threads of {threads} reach {reach} elements, and {memory} has {size}"
        ));
    }
    // The requirements of `WarpAccess::new`, which panics.
    if element_bits == 0 || access_bits == 0 || access_bits % element_bits != 0 {
        return wrong(format!(
            "an access is of whole elements, one at least: of {element_bits} bits, not \
             {access_bits}"
        ));
    }
    if access_bits % 8 != 0 || access_bits > 1024 {
        return wrong(format!(
            "an access is of whole bytes, and of 128 of them at most: not of {access_bits} bits"
        ));
    }
    let (Some(flat), Some(flat_threads)) =
        (memory.flat(), AnyLayout::Plain(threads.clone()).flat())
    else {
        return wrong(
            "the analysis takes layouts of at most 32 leaves, no negative strides, and XOR \
             strides that are a swizzle"
                .into(),
        );
    };
    let elements = access_bits / element_bits;
    if flat_threads.values() % elements != 0 {
        let values = flat_threads.values();
        return wrong(format!(
            "a thread has {values} values, and an access takes {elements} of them"
        ));
    }
    // The requirements of an access, which panics too: its elements are contiguous and aligned.
    for thread in 0..flat_threads.threads() {
        for first in (0..flat_threads.values()).step_by(elements) {
            let start = memory.at(flat_threads.of_thread(thread, first));
            for k in 1..elements {
                let offset = memory.at(flat_threads.of_thread(thread, first + k));
                if offset.checked_sub(start) != Some(k) {
                    return wrong(format!(
                        "{access_bits} bits at once: values {first} and {} of thread {thread} are \
                         at offsets {start} and {offset}",
                        first + k
                    ));
                }
            }
            if start % elements != 0 {
                return wrong(format!(
                    "{access_bits} bits at once: value {first} of thread {thread} is at offset \
                     {start}, which is no multiple of {elements}"
                ));
            }
        }
    }
    let found = WarpAccess::new(&flat_threads, element_bits, access_bits).bank_conflicts(&flat);
    Ok(Value::Banks(Box::new(Banks { memory, threads, element_bits, access_bits, found })))
}

/// `compose`, also with a swizzle on the left and a swizzled layout on the right.
fn compose(arguments: &Arguments<'_>, row: &Operation) -> Result<Value, Trouble> {
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
        (_, Value::Memory(AnyLayout::Swizzled(right))) => {
            let left = arguments.layout(0)?;
            arguments.swizzled(right.composed_under(&left))
        }
        _ => arguments.call(row),
    }
}
