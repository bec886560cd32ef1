//! The values of a tree, operands before their operation, or the error and its place.

use layout_algebra::prelude::*;
use layout_cli::AnyLayout;

use crate::operation::{Arguments, Operation, find, operations, required};
use crate::read::{Node, NodeKind, read};
use crate::value::{Operand, Trouble, Value};

/// A part of the expression, with its value.
#[derive(Clone)]
pub struct Part {
    /// The value, and its span.
    pub operand: Operand,
    /// The operation of this result, and the parts of its operands.
    pub from: Option<(&'static Operation, Vec<usize>)>,
}

/// An expression, evaluated up to the first error.
pub struct Evaluated {
    /// The parts, operands before results; without an error, the last part is the result.
    pub parts: Vec<Part>,
    /// The error.
    pub trouble: Option<Trouble>,
    /// The operation that was refused, and its operands.
    pub refused: Option<(&'static Operation, Vec<usize>)>,
    /// The refused operation as a function, which comes after the parts.
    pub function: Option<Value>,
}

/// The most coordinates of a function's picture.
const DRAWN: usize = 1 << 16;

/// The values of `text`.
pub fn evaluate(text: &str) -> Evaluated {
    let mut evaluated =
        Evaluated { parts: Vec::new(), trouble: None, refused: None, function: None };
    let nodes = match read(text) {
        Ok(nodes) => nodes,
        Err(unread) => {
            evaluated.trouble = Some(Trouble::new(unread.span, unread.sentence));
            return evaluated;
        }
    };
    for node in &nodes {
        let before = evaluated.parts.len();
        match evaluated.part(text, node) {
            Ok(part) if part == before => evaluated.lay_out(part),
            Ok(_) => {}
            Err(trouble) => evaluated.trouble = Some(trouble),
        }
        if evaluated.trouble.is_some() {
            break;
        }
    }
    evaluated
}

impl Evaluated {
    /// The value of `node` as one more part.
    fn part(&mut self, text: &str, node: &Node) -> Result<usize, Trouble> {
        let part = match &node.kind {
            NodeKind::Literal => Part {
                operand: Operand::literal(&text[node.span.clone()], node.span.clone())?,
                from: None,
            },
            NodeKind::Written(written) => {
                Part { operand: Operand::literal(written, node.span.clone())?, from: None }
            }
            NodeKind::Macro(kind) => Part {
                operand: Operand::of_macro(*kind, &text[node.span.clone()], node.span.clone())?,
                from: None,
            },
            NodeKind::Call { name, name_span, operands } => {
                // Rust's `try_compose` is `compose` here, where every operation may fail.
                let row = find(name.strip_prefix("try_").unwrap_or(name)).ok_or_else(|| {
                    Trouble::new(
                        name_span.clone(),
                        format!("there is no operation `{name}` here{}", similar(name)),
                    )
                })?;
                let (found, least, most) = (operands.len(), required(row), row.operands.len());
                if found < least || found > most {
                    let (takes, s) = if least == most {
                        (least.to_string(), if least == 1 { "" } else { "s" })
                    } else {
                        (format!("{least} to {most}"), "s")
                    };
                    let sentence = format!(
                        "`{}` takes {takes} operand{s}, the layout before it among them, and here \
                         are {found}",
                        row.name
                    );
                    return Err(Trouble::new(node.span.clone(), sentence));
                }
                let ids = operands
                    .iter()
                    .map(|operand| self.part(text, operand))
                    .collect::<Result<Vec<_>, _>>()?;
                let operands: Vec<&Operand> =
                    ids.iter().map(|&id| &self.parts[id].operand).collect();
                let arguments = Arguments { operands: &operands, span: node.span.clone() };
                match arguments.run(row) {
                    Ok(value) => {
                        let operand = Operand { span: node.span.clone(), literal: None, value };
                        Part { operand, from: Some((row, ids)) }
                    }
                    Err(trouble) => {
                        if trouble.refusal.as_ref().is_some_and(|error| error.byte().is_none()) {
                            self.function = function(row, &operands);
                            self.refused = Some((row, ids));
                        }
                        return Err(trouble);
                    }
                }
            }
        };
        self.parts.push(part);
        Ok(self.parts.len() - 1)
    }

    /// A shape alone is a layout, as in `layout!((4, 6))`.
    fn lay_out(&mut self, part: usize) {
        let operand = &mut self.parts[part].operand;
        if matches!(operand.value, Value::Shape(_) | Value::Number(_)) {
            match operand.memory() {
                Ok(memory) => operand.value = Value::Memory(memory),
                Err(trouble) => self.trouble = Some(trouble),
            }
        }
    }
}

/// The function of a refused composition of two layouts.
fn function(row: &Operation, operands: &[&Operand]) -> Option<Value> {
    if row.name != "compose" {
        return None;
    }
    let right = match &operands[1].value {
        Value::Number(number) => DynLayout::left(&DynShape::from(*number)),
        Value::Memory(AnyLayout::Plain(layout)) => layout.clone(),
        _ => return None,
    };
    let left = operands[0].layout().ok().filter(|left| left.size() > 0)?;
    (1..=DRAWN).contains(&right.size()).then_some(Value::Function(left, right))
}

/// The operations with similar names.
fn similar(name: &str) -> String {
    let rows = operations().map(|row| row.name);
    let names: Vec<&str> = match name.len() {
        0..=2 => Vec::new(),
        _ => rows
            .filter(|row| row.contains(name) || name.contains(row) || row.starts_with(&name[..3]))
            .collect(),
    };
    if names.is_empty() { String::new() } else { format!(": `{}`?", names.join("`, `")) }
}
