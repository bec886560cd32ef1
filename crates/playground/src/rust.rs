//! An expression in Rust: the types to paste, and the first line of the compile error if it has no
//! result.

use layout_cli::{AnyLayout, Form, Kind, Operation};

use crate::evaluate::Evaluated;
use crate::value::{Operand, Value};

/// The program that the user pastes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pasted {
    /// The expression, of values: `layout!((4, 6):(1, 4)).size()`.
    pub line: Option<String>,
    /// The program, of types.
    pub code: String,
    /// `error[E0277]: ..`, if the program does not compile.
    pub error: Option<String>,
    /// Why the program cannot be written in types, if it cannot.
    pub note: Option<&'static str>,
}

/// The most modes on one level of a type.
const MOST_MODES: usize = 8;

/// Adds a space after each comma.
fn spaced(text: &str) -> String {
    text.split(',').map(str::trim).collect::<Vec<_>>().join(", ")
}

/// A layout in parentheses after a macro's name.
fn layout(text: &str) -> String {
    format!("Layout!({})", spaced(text))
}

fn shape(text: &str) -> String {
    format!("Shape!({})", spaced(text))
}

fn swizzle(value: &layout_algebra::DynSwizzle) -> String {
    let (bits, base, shift) = value.parameters();
    format!("Swizzle<{bits}, {base}, {shift}>")
}

/// The type of a value for an operand of this `kind`.
fn of_value(operand: &Operand, kind: Kind) -> Option<String> {
    Some(match (&operand.value, kind) {
        (Value::Number(number), Kind::Number | Kind::Tile) => format!("Int!({number})"),
        (Value::Number(number), Kind::Modes) => shape(&format!("({number},)")),
        (Value::Tiler(tiler), _) => {
            let text = spaced(&tiler.to_string());
            match text.strip_prefix('<').and_then(|text| text.strip_suffix('>')) {
                Some(entries) => format!("Tiler!({entries})"),
                None => format!("Tiler!({text})"),
            }
        }
        (_, Kind::Shape | Kind::Modes) => shape(&operand.shape().ok()?.to_string()),
        (_, Kind::Layout | Kind::AnyLayout | Kind::Tile) => match operand.memory().ok()? {
            AnyLayout::Plain(plain) => layout(&plain.to_string()),
            AnyLayout::Swizzled(swizzled) => format!(
                "ComposedLayout<{}, Int!({}), {}>",
                swizzle(&swizzled.outer()),
                swizzled.offset(),
                layout(&swizzled.inner().to_string())
            ),
        },
        _ => return None,
    })
}

/// Turns the macro of types at the beginning of a text into the macro of values: `Layout!(4)`
/// becomes `layout!(4)`.
fn of_values(mut text: String) -> String {
    text[..1].make_ascii_lowercase();
    text
}

/// Whether a level has more modes than types allow.
fn too_wide(value: &Value) -> bool {
    fn wide(shape: &layout_algebra::DynShape) -> bool {
        shape.rank() > MOST_MODES || shape.depth() > 0 && shape.children().any(|child| wide(&child))
    }
    match value {
        Value::Memory(memory) | Value::Part(memory, _) => wide(&memory.strided().shape()),
        Value::Shape(shape) => wide(shape),
        Value::Banks(banks) => {
            wide(&banks.memory.strided().shape()) || wide(&banks.threads.shape())
        }
        _ => false,
    }
}

impl Evaluated {
    /// The type of a part for an operand of this `kind`.
    fn type_of(&self, part: usize, kind: Kind) -> Option<String> {
        let part = &self.parts[part];
        match &part.from {
            None => of_value(&part.operand, kind),
            Some((row, operands)) => match row.form {
                Form::Alias(_) | Form::Indexed(_) | Form::OfShape(_) if kind != Kind::Shape => {
                    self.call(row, operands)
                }
                _ => of_value(&part.operand, kind),
            },
        }
    }

    /// The type of the result of an operation.
    fn call(&self, row: &Operation, operands: &[usize]) -> Option<String> {
        let kinds = row.operands.iter();
        let types = || {
            operands
                .iter()
                .zip(kinds)
                .map(|(&part, wanted)| self.type_of(part, wanted.kind))
                .collect::<Option<Vec<_>>>()
        };
        Some(match row.form {
            Form::Alias("Recasted") => {
                let [from, to] = [operands[1], operands[2]]
                    .map(|part| self.parts[part].operand.value.to_string());
                format!(
                    "Recasted<{}, {}>",
                    self.type_of(operands[0], Kind::AnyLayout)?,
                    shape(&format!("({from},{to})"))
                )
            }
            Form::Alias(alias) | Form::OfShape(alias) => {
                format!("{alias}<{}>", types()?.join(", "))
            }
            Form::Indexed(alias) => {
                let numbers = operands[1..]
                    .iter()
                    .map(|&part| format!(", {}", self.parts[part].operand.value));
                format!(
                    "{alias}<{}{}>",
                    self.type_of(operands[0], Kind::Layout)?,
                    numbers.collect::<String>()
                )
            }
            _ => return None,
        })
    }

    /// The expression of a part for an operand of this `kind`.
    fn value_of(&self, part: usize, kind: Kind) -> Option<String> {
        let part = &self.parts[part];
        match (&part.from, &part.operand.value) {
            (Some((row, operands)), _) if kind != Kind::Shape => self.expression(row, operands),
            (_, Value::Memory(AnyLayout::Swizzled(found))) => {
                let mut outer = swizzle(&found.outer());
                outer.insert_str("Swizzle".len(), "::");
                let inner = of_values(layout(&found.inner().to_string()));
                Some(match found.offset() {
                    0 => format!("{outer}::new().compose({inner})"),
                    offset => format!(
                        "ComposedLayout::const_new({outer}::new(), int!({offset}), {inner})"
                    ),
                })
            }
            _ => of_value(&part.operand, kind).map(of_values),
        }
    }

    /// An operation as a method call on values.
    fn expression(&self, row: &Operation, operands: &[usize]) -> Option<String> {
        let value = |index: usize| self.value_of(operands[index], row.operands[index].kind);
        let text = |&part: &usize| self.parts[part].operand.value.to_string();
        let arguments = match row.form {
            Form::OfShape(_) => {
                let order = if row.name == "right" { ": right" } else { "" };
                return Some(format!("layout!({}{order})", spaced(&text(&operands[0]))));
            }
            Form::Alias("Recasted") => {
                format!("(shape!(({}, {})))", text(&operands[1]), text(&operands[2]))
            }
            Form::Indexed(_) => {
                format!("::<{}>()", operands[1..].iter().map(text).collect::<Vec<_>>().join(", "))
            }
            Form::Alias(_) | Form::Constant(_) => {
                format!(
                    "({})",
                    (1..operands.len()).map(value).collect::<Option<Vec<_>>>()?.join(", ")
                )
            }
            _ => return None,
        };
        Some(format!("{}.{}{arguments}", value(0)?, row.name))
    }

    /// The lines for the last operation, or for a single value.
    fn lines(&self, row: Option<(&Operation, &[usize])>, value: Option<&Value>) -> Option<String> {
        let Some((row, operands)) = row else {
            let alone = self.parts.len().checked_sub(1)?;
            if let Value::Swizzle(swizzled) = &self.parts[alone].operand.value {
                return Some(format!("type R = {};\n", swizzle(swizzled)));
            }
            if let Value::Slice(_) = &self.parts[alone].operand.value {
                return None;
            }
            let name = of_value(&self.parts[alone].operand, Kind::AnyLayout)?;
            return Some(format!("type R = {name};\n"));
        };
        let of = |index: usize| self.type_of(operands[index], row.operands[index].kind);
        Some(match (row.form, value) {
            (Form::Alias(_) | Form::Indexed(_) | Form::OfShape(_), None) => {
                format!("type R = {};\nconst SIZE: usize = R::SIZE;\n", self.call(row, operands)?)
            }
            (Form::Alias(_) | Form::Indexed(_) | Form::OfShape(_), Some(value)) => {
                let result = Operand { span: 0..0, literal: None, value: value.clone() };
                let result = of_value(&result, Kind::AnyLayout)?;
                format!(
                    "type R = {};\nconst _: fn(R) -> {result} = |same| same;\n",
                    self.call(row, operands)?
                )
            }
            (Form::Constant(name), Some(value)) => {
                format!("type A = {};\nconst _: () = assert!(A::{name} == {value});\n", of(0)?)
            }
            (Form::Relation(name), Some(Value::Bool(holds))) => {
                let (left, right) = (of(0)?, of(1)?);
                match holds {
                    true => format!(
                        "fn holds<A: {name}<B>, B>() {{}}\nconst _: fn() = holds::<{left}, \
                         {right}>;\n"
                    ),
                    false => format!("// {left}: {name}<{right}> does not hold.\n"),
                }
            }
            (_, Some(Value::Banks(banks))) => {
                let (element, access) = (banks.element_bits, banks.access_bits);
                format!(
                    "use layout_algebra::analysis::*;\n\ntype Smem = {};\ntype Threads = \
                     {};\nconst _: () = assert!(bank_conflict_count::<Smem, SharedAccess<Threads, \
                     {element}, {access}>>() == {});\n",
                    of(0)?,
                    of(1)?,
                    banks.found.conflicts
                )
            }
            (_, Some(Value::ThreadValues(_, tile))) => {
                format!(
                    "type Threads = {};\nfn main() {{\n    let table = \
                     Threads::default().thread_value_table();\n    println!(\"{{}}\", \
                     table.of_tile(shape!({})));\n}}\n",
                    of(0)?,
                    spaced(&tile.to_string())
                )
            }
            _ => return None,
        })
    }

    /// The program to paste.
    pub fn pasted(&self) -> Pasted {
        let last = self.parts.last();
        let (row, value) = match (&self.refused, last) {
            (Some((row, operands)), _) => (Some((*row, operands.as_slice())), None),
            (None, Some(part)) if self.trouble.is_none() => (
                part.from.as_ref().map(|(row, operands)| (*row, operands.as_slice())),
                Some(&part.operand.value),
            ),
            _ => return Pasted::default(),
        };
        if self.parts.iter().any(|part| too_wide(&part.operand.value)) {
            let note = "a level of more than 8 modes, which tuples of the types do not hold: \
                        `DynLayout` has no such limit";
            return Pasted { note: Some(note), ..Pasted::default() };
        }
        let Some(lines) = self.lines(row, value) else {
            return Pasted {
                note: Some("this is asked of values, not of types: `DynLayout` has the method"),
                ..Pasted::default()
            };
        };
        let line = match row {
            Some((row, operands)) => self.expression(row, operands),
            None => self
                .value_of(self.parts.len() - 1, Kind::AnyLayout)
                .filter(|line| line.ends_with(')')),
        };
        let code = format!(
            "use layout_algebra::prelude::*;\n{}{lines}",
            if lines.starts_with("use") { "" } else { "\n" }
        );
        Pasted { line, code, error: self.compile_error(), note: None }
    }

    /// The first line of the compiler's error. If several rules are broken, the compiler may report
    /// another one, since it checks types in another order.
    fn compile_error(&self) -> Option<String> {
        self.refused.as_ref()?;
        let error = self.trouble.as_ref()?.refusal.as_ref()?;
        let sentence = error.to_string();
        // The message follows the operands.
        let fault = error.fault().to_string();
        let fault = match sentence.ends_with(&fault) {
            true => fault,
            false => sentence.rsplit(": ").next()?.to_string(),
        };
        Some(format!("error[E0277]: {fault}"))
    }
}
